import type { Logger } from "pino";
import type { OpenedFiles } from "../collection-files.ts";
import type { Environment } from "../environment.ts";
import { openUpstream, upstreamsOf } from "../open-catalog.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { plainText } from "./plain-text.ts";
import { readLandingPage } from "./upstream.ts";

/** The longest wait for a landing page at start, milliseconds, and the requests for it: an answer and another try. */
const [STEP_MS, REQUESTS] = [10_000, 2];

/**
 * Logs a line for each upstream whose landing page is not answered, in the doctor's words, one request each. It never
 * rejects.
 *
 * @param signal ends it: nothing is logged any more.
 */
export async function reportFailingUpstreams(
  environment: Environment,
  files: Pick<OpenedFiles, "registry" | "kinds">,
  { log, signal }: { readonly log: Pick<Logger, "warn">; readonly signal: AbortSignal },
): Promise<void> {
  const plain = plainText(environment);
  await Promise.all(
    upstreamsOf(environment).map(async (upstream) => {
      const bounded = boundedFetch(REQUESTS, (...request) => globalThis.fetch(...request));
      const catalog = openUpstream(environment, files, upstream, { fetch: bounded.fetch, retries: REQUESTS - 1 });
      const examination = { bounded, plain, now: performance.now.bind(performance), deadline: signal, stepMs: STEP_MS };
      const { status, detail, advice } = await readLandingPage({ ...upstream, catalog }, examination);
      if (status !== "failed") return;
      log.warn({ upstream: upstream.name }, `${upstream.name}, landing page: ${detail} To do: ${advice}`);
    }),
  );
}
