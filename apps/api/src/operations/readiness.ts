import { ProblemError } from "../errors/problems.ts";
import type { HealthParts } from "./services.ts";

/** Whether a part of the process answers. */
export type PartState = "ok" | "unavailable";

/** The parts that a process cannot work without. */
interface Checks {
  readonly store: PartState;
  readonly renderer: PartState;
  readonly queue: PartState;
  readonly results: PartState;
}

/** The answer of a process that can do its work. */
export interface Readiness {
  readonly status: "ready";
  readonly checks: Checks;
}

/** Whether what a part was asked came out well. */
export function stateOf(work: Promise<unknown>): Promise<PartState> {
  return work.then(
    () => "ok" as const,
    () => "unavailable" as const,
  );
}

/** Seconds after which a node may be ready again. */
const RETRY_SECONDS = 5;

const NAMES: Readonly<Record<keyof Checks, string>> = {
  store: "the store",
  renderer: "the renderer",
  queue: "the queue",
  results: "the folder of results",
};

function readinessOf(checks: Checks): Readiness {
  const missing = Object.entries(checks).flatMap(([name, state]) =>
    state === "ok" ? [] : NAMES[name as keyof Checks],
  );
  if (missing.length === 0) return { status: "ready", checks };
  const detail = `This node is not ready: ${missing.join(" and ")} did not answer.`;
  throw new ProblemError("upstream-unavailable", detail, { retryAfter: RETRY_SECONDS, members: { checks } });
}

/** Time that the parts have to answer. */
const TIMEOUT_MS = 3000;
/** Time for which an answer is given again, so that whoever asks in a loop does not ask the store in a loop. */
const KEPT_MS = 1000;

/**
 * Asks the parts that a process cannot work without: its store, its render threads, the queue of jobs and the folder of
 * results. The upstream
 * catalog is none of them: no other node would reach it either, and what is cached is served without it.
 *
 * Callers at the same time share one question, and its answer is kept for a second.
 *
 * @returns a question that throws a {@link ProblemError} `upstream-unavailable`, with the member `checks`, while a part
 *   does not answer.
 */
export function createReadiness(
  {
    pingStore,
    renderer,
    pingQueue,
    pingResults,
  }: Pick<HealthParts, "pingStore" | "renderer" | "pingQueue" | "pingResults">,
  now: () => number = () => performance.now(),
): () => Promise<Readiness> {
  let last: Promise<Readiness> | undefined;
  let answered = Number.POSITIVE_INFINITY;
  const ask = async (): Promise<Readiness> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const [store, drawn, queue, results] = await Promise.all([
      stateOf(pingStore?.({ signal }) ?? Promise.resolve()),
      stateOf(renderer.ping({ signal })),
      stateOf(pingQueue?.({ signal }) ?? Promise.resolve()),
      stateOf(pingResults?.({ signal }) ?? Promise.resolve()),
    ]);
    answered = now();
    return readinessOf({ store, renderer: drawn, queue, results });
  };
  return () => {
    if (last === undefined || now() - answered >= KEPT_MS) {
      answered = Number.POSITIVE_INFINITY;
      last = ask();
    }
    return last;
  };
}
