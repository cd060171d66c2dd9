import { HttpError } from "@swath/http";
import { StacClientError } from "@swath/stac";
import type { CatalogOptions, MergeableCatalog } from "../catalog.ts";
import { countItems } from "../counts/count-pages.ts";
import { CatalogError, isUpstreamFault } from "../errors.ts";

/** The state of an upstream by its latest answers. */
export interface UpstreamState {
  /** As the service calls it. */
  readonly name: string;
  /**
   * `failing`: it did not answer a ping, or the last searches and no ping since; `degraded`: it answers, and something has failed within five
   * minutes; `unknown`: nothing was asked yet.
   */
  readonly status: "ok" | "degraded" | "failing" | "unknown";
  /** The time of the last request to it, milliseconds since 1970; absent before the first. */
  readonly checked?: number;
  /** Its last failure; absent where it is `ok` or `unknown`. */
  readonly problem?: UpstreamProblem;
}

/** The failure of an upstream. */
export interface UpstreamProblem {
  readonly code: CatalogError["code"];
  /** Status of its answer, where it gave one. */
  readonly httpStatus?: number;
}

/** Failures in a row after which an upstream is left out of searches of several. */
const FAILURES = 3;
/** Milliseconds for which it is left out, until one search tries it again. */
const HELD_MS = 15_000;
/** Milliseconds for which a failure is told. */
const TOLD_MS = 300_000;

/**
 * Watches one upstream. Searches of several upstreams leave it out for 15 seconds after three failures in a row, then one
 * of them tries it again: a dead upstream costs few searches its time. One failing search alone does not, since a client
 * can write a search that takes an upstream too long.
 */
export class UpstreamWatch {
  readonly name: string;
  readonly #now: () => number;
  readonly #onAnswer: ((outcome: "ok" | "failed") => void) | undefined;
  #failures = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #checked: number | undefined;
  #isUnreachable = false;
  /** Whether it has answered since its last failure. */
  #isBack = false;
  #failed: { readonly at: number; readonly problem: UpstreamProblem } | undefined;

  /** @param options.now milliseconds since 1970. @param options.onAnswer told of every answer and failure. */
  constructor(
    name: string,
    options: { readonly now?: () => number; readonly onAnswer?: (outcome: "ok" | "failed") => void } = {},
  ) {
    this.name = name;
    this.#now = options.now ?? Date.now;
    this.#onAnswer = options.onAnswer;
  }

  answered(isPing: boolean): void {
    this.#checked = this.#now();
    this.#isUnreachable = false;
    this.#isBack = true;
    // searches may still fail where a ping is answered: one of them tries it
    if (!isPing) this.#failures = 0;
    this.#onAnswer?.("ok");
  }

  failed(error: CatalogError, isPing: boolean): void {
    const at = this.#now();
    this.#checked = at;
    this.#isBack = false;
    const httpStatus = error.cause instanceof StacClientError ? error.cause.status : undefined;
    this.#failed = { at, problem: { code: error.code, ...(httpStatus === undefined ? {} : { httpStatus }) } };
    this.#onAnswer?.("failed");
    if (isPing) this.#isUnreachable = true;
    // a rejected search is the search's fault: the upstream does answer
    else if (error.code !== "rejected") this.#failures += 1;
    if (this.#failures >= FAILURES) this.#heldUntil = at + HELD_MS;
  }

  /** Whether a search of several upstreams leaves it out now. The first caller after its time is over tries it. */
  isHeld(): boolean {
    if (this.#failures < FAILURES) return false;
    const now = this.#now();
    if (now < this.#heldUntil) return true;
    this.#heldUntil = now + HELD_MS;
    return false;
  }

  state(): UpstreamState {
    const { name } = this;
    if (this.#checked === undefined) return { name, status: "unknown" };
    const isRecent = this.#failed !== undefined && this.#now() - this.#failed.at < TOLD_MS;
    if (this.#failed === undefined || !(isRecent || this.#isUnreachable)) {
      return { name, status: "ok", checked: this.#checked };
    }
    const isFailing = this.#isUnreachable || (this.#failures >= FAILURES && !this.#isBack);
    return { name, status: isFailing ? "failing" : "degraded", checked: this.#checked, problem: this.#failed.problem };
  }
}

/** A catalog whose answers and failures are watched. Its errors name the upstream. */
export function watchedCatalog(catalog: MergeableCatalog, watch: UpstreamWatch): MergeableCatalog {
  const watched = async <T>(
    work: () => Promise<T>,
    options: CatalogOptions | undefined,
    isPing = false,
  ): Promise<T> => {
    try {
      const answer = await work();
      watch.answered(isPing);
      return answer;
    } catch (error) {
      const fault = faultOf(error, options?.signal, watch.name);
      if (fault === undefined) throw error;
      watch.failed(fault, isPing);
      throw fault;
    }
  };
  return {
    search: (query, options) => watched(() => catalog.search(query, options), options),
    searchAt: (query, place, options) => watched(() => catalog.searchAt(query, place, options), options),
    count: (query, request, options) => watched(() => countItems(catalog, query, request, options), options),
    item: (collection, id, options) => watched(() => catalog.item(collection, id, options), options),
    extent: (collection, options) => watched(() => catalog.extent(collection, options), options),
    has: (collection, options) => watched(() => catalog.has(collection, options), options),
    ping: (options) => watched(() => catalog.ping(options), options, true),
  };
}

/** Whether the caller has gone because the time was over that it gave to this upstream. */
function isLate({ reason }: AbortSignal): boolean {
  if (reason instanceof HttpError) return reason.code === "timeout";
  return reason instanceof Error && reason.name === "TimeoutError";
}

/** The fault with the upstream's name; `undefined` where it is the caller's, or the caller has gone. */
function faultOf(error: unknown, signal: AbortSignal | undefined, name: string): CatalogError | undefined {
  const upstreams = [name];
  if (signal?.aborted === true) {
    return isLate(signal)
      ? new CatalogError("timeout", `The upstream "${name}" took too long.`, { upstreams })
      : undefined;
  }
  if (!isUpstreamFault(error)) return undefined;
  const { code, message, cause, retryAfter } = error;
  return new CatalogError(code, message, { cause, retryAfter, upstreams });
}
