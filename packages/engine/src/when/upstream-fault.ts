import type { CatalogError, UpstreamProblem } from "@swath/catalog";

/**
 * Messages for clients; the upstream's own words are for the log: it may name addresses, and is not in the client's
 * words.
 */
const FAULTS: Readonly<Record<CatalogError["code"], string>> = {
  unavailable: "did not answer",
  timeout: "took too long to answer",
  rejected: "refused the search",
  "invalid-token": "does not know the place where the page starts",
  "too-many": "has more scenes than can be sorted: ask for less time or area, or for another order",
};

/** Names in a sentence: `"a"`, `"a" and "b"`, `"a", "b" and "c"`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}

/** The upstreams as the subject of a sentence; without names the upstream catalog. */
export function upstreamsNamed(names: readonly string[]): string {
  if (names.length === 0) return "The upstream catalog";
  return `The upstream catalog${names.length === 1 ? "" : "s"} ${listed(names)}`;
}

/** Describes the failure of upstreams in a sentence for clients. */
export function upstreamFault(code: CatalogError["code"], names: readonly string[]): string {
  return `${upstreamsNamed(names)} ${FAULTS[code]}.`;
}

/** Describes the failure of an upstream for the service's owner. */
export function upstreamProblem({ code, httpStatus }: UpstreamProblem): string {
  const by = httpStatus === undefined ? "" : ` (HTTP status ${httpStatus})`;
  return `It ${FAULTS[code]}${by}.`;
}
