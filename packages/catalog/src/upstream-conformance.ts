import type { UpstreamClient } from "./upstream-client.ts";

/** Which filters an upstream's searches take, as the conformance classes of its landing page name them. */
export interface UpstreamFilters {
  /** The STAC query extension. */
  readonly hasQuery: boolean;
  /** Classes of CQL2 by their last segment, such as `basic-cql2`; empty where it takes no CQL2 JSON. */
  readonly cql2: ReadonlySet<string>;
}

/** What is assumed of an upstream that has not said what it takes. */
export const QUERY_ALONE: UpstreamFilters = { hasQuery: true, cql2: new Set() };

const CQL2 = /^https?:\/\/www\.opengis\.net\/spec\/cql2\/1\.0\/conf\/([a-z0-9-]+)$/;
const FILTER =
  /^https?:\/\/(api\.stacspec\.org\/v1\.\d+\.\d+[\w.-]*\/item-search#filter|www\.opengis\.net\/spec\/ogcapi-features-3\/1\.0\/conf\/filter)$/;
const QUERY = /^https?:\/\/api\.stacspec\.org\/v1\.\d+\.\d+[\w.-]*\/item-search#query$/;

/**
 * The filters of a landing page's `conformsTo`. CQL2 is taken for searches where the filter extension, `cql2-json` and
 * `basic-cql2` are named (STAC API Filter Extension 1.0.0); the query extension is also taken for granted where neither
 * is named.
 */
export function toUpstreamFilters(conformsTo: readonly string[]): UpstreamFilters {
  const classes = new Set(conformsTo.flatMap((uri) => CQL2.exec(uri)?.[1] ?? []));
  const isWhole = conformsTo.some((uri) => FILTER.test(uri)) && classes.has("cql2-json") && classes.has("basic-cql2");
  return {
    hasQuery: !isWhole || conformsTo.some((uri) => QUERY.test(uri)),
    cql2: isWhole ? classes : new Set(),
  };
}

/** Milliseconds after which the landing page is read again. */
const KEPT_MS = 3_600_000;
/** Milliseconds after which a landing page that could not be read is tried again. */
const RETRY_MS = 60_000;
/** Milliseconds that a search waits for the landing page. */
const WAIT_MS = 3000;

/**
 * Reads the filters of an upstream when they are first asked for, once for all searches that wait for them, and again
 * after an hour. Where the landing page cannot be read, what was known before holds, `QUERY_ALONE` at first.
 *
 * @param now milliseconds.
 */
export function conformanceReader(client: UpstreamClient, now: () => number): () => Promise<UpstreamFilters> {
  let known: UpstreamFilters = QUERY_ALONE;
  let until = Number.NEGATIVE_INFINITY;
  let reading: Promise<UpstreamFilters> | undefined;
  const read = async (): Promise<UpstreamFilters> => {
    try {
      // its own time limit: a search that is given up must not end the reading of others
      known = toUpstreamFilters(await client.conformsTo(AbortSignal.timeout(WAIT_MS)));
      until = now() + KEPT_MS;
    } catch {
      until = now() + RETRY_MS;
    } finally {
      reading = undefined;
    }
    return known;
  };
  return async () => {
    if (now() < until) return known;
    reading ??= read();
    return reading;
  };
}
