import type { UpstreamKindFile } from "@swath/schema/files";
import type { UpstreamClient } from "./upstream-client.ts";

/**
 * The parts of a search that an upstream evaluates: those that the data of its kind name, except those that its
 * conformance does not name.
 */
export interface Abilities {
  readonly kind: UpstreamKindFile;
  /** Whether it sorts at all. */
  readonly sorts: boolean;
  /** Whether it takes the STAC query extension. */
  readonly hasQuery: boolean;
  /** Classes of CQL2 by their last segment, such as `basic-cql2`; empty where it takes no CQL2 JSON. */
  readonly cql2: ReadonlySet<string>;
  /** Whether it counts (STAC aggregation extension), and which further conditions its counts name. */
  readonly aggregates: { readonly query: boolean; readonly filter: boolean } | undefined;
}

const CQL2 = /^https?:\/\/www\.opengis\.net\/spec\/cql2\/1\.0\/conf\/([a-z0-9-]+)$/;
const FILTER =
  /^https?:\/\/(api\.stacspec\.org\/v1\.\d+\.\d+[\w.-]*\/item-search#filter|www\.opengis\.net\/spec\/ogcapi-features-3\/1\.0\/conf\/filter)$/;
const QUERY = /^https?:\/\/api\.stacspec\.org\/v1\.\d+\.\d+[\w.-]*\/item-search#query$/;
const AGGREGATION = /^https?:\/\/api\.stacspec\.org\/v\d+\.\d+\.\d+[\w.-]*\/aggregation(#query|#filter)?$/;
const SORT = /^https?:\/\/api\.stacspec\.org\/v1\.\d+\.\d+[\w.-]*\/item-search#sort$/;

/**
 * The abilities of an upstream of a kind whose landing page has this `conformsTo`. CQL2 is taken for searches where the
 * filter extension, `cql2-json` and `basic-cql2` are named (STAC API Filter Extension 1.0.0). An upstream that names
 * nothing at all, as catalogs before STAC API 1.0 do, is what its kind says, without CQL2.
 */
export function toAbilities(kind: UpstreamKindFile, conformsTo: readonly string[]): Abilities {
  const classes = new Set(conformsTo.flatMap((uri) => CQL2.exec(uri)?.[1] ?? []));
  const isWhole = conformsTo.some((uri) => FILTER.test(uri)) && classes.has("cql2-json") && classes.has("basic-cql2");
  const names = (pattern: RegExp): boolean => conformsTo.length === 0 || conformsTo.some((uri) => pattern.test(uri));
  const counts = conformsTo.flatMap((uri) => AGGREGATION.exec(uri) ?? []);
  return {
    kind,
    sorts: names(SORT),
    hasQuery: kind.conditions.query !== undefined && names(QUERY),
    cql2: kind.conditions.cql2 && isWhole ? classes : new Set(),
    aggregates:
      counts.length === 0 ? undefined : { query: counts.includes("#query"), filter: counts.includes("#filter") },
  };
}

/** Milliseconds after which the landing page is read again. */
const KEPT_MS = 3_600_000;
/** Milliseconds after which a landing page that could not be read is tried again. */
const RETRY_MS = 60_000;
/** Milliseconds that a search waits for the landing page. */
const WAIT_MS = 3000;

/**
 * Reads the abilities of an upstream when they are first asked for, once for all searches that wait for them, and again
 * after an hour. Where the landing page cannot be read, what was known before holds, the data of its kind at first.
 *
 * @param now milliseconds.
 */
export function abilityReader(
  kind: UpstreamKindFile,
  client: Pick<UpstreamClient, "conformsTo">,
  now: () => number,
): () => Promise<Abilities> {
  let known = toAbilities(kind, []);
  let until = Number.NEGATIVE_INFINITY;
  let reading: Promise<Abilities> | undefined;
  const read = async (): Promise<Abilities> => {
    try {
      // its own time limit: a search that is given up must not end the reading of others
      known = toAbilities(kind, await client.conformsTo(AbortSignal.timeout(WAIT_MS)));
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
