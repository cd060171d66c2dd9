import { type ExamineOptions, withDefaults } from "./examine.ts";
import { examineLandingPage, type Upstream } from "./upstream.ts";

/** An upstream that does not answer. */
export interface FailingUpstream {
  readonly upstream: string;
  /** One line that says what is wrong and what to do. */
  readonly line: string;
}

/**
 * Asks the landing page of each upstream side by side, with two requests at most, and tells of those that fail as soon as
 * they do. It does not reject for what fails.
 *
 * @param options.signal ends it: nothing is told any more.
 */
export async function failingLandingPages(
  upstreams: readonly Upstream[],
  options: ExamineOptions,
  tell: (failing: FailingUpstream) => void,
): Promise<void> {
  const examination = withDefaults(options);
  await Promise.all(
    upstreams.map(async (upstream) => {
      const { status, detail, advice } = await examineLandingPage(upstream, examination);
      if (status !== "failed") return;
      tell({ upstream: upstream.name, line: `${upstream.name}, landing page: ${detail} To do: ${advice}` });
    }),
  );
}
