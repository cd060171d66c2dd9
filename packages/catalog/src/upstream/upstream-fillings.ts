import type { UpstreamClient } from "./abilities/upstream-client.ts";
import type { FillingSource } from "./upstream-sources.ts";

/** Most items of collections that fill gaps that are compared to be counted. */
export const MAX_FILLING_ITEMS = 500;

/**
 * Counts the matches that collections hold which fill gaps, without those that they have in vain. `undefined` where there
 * are too many to compare, and where the upstream does not say how many there are.
 *
 * @param maxItems most items to compare.
 */
export async function countFillings(
  fillings: readonly FillingSource[],
  client: UpstreamClient,
  maxItems: number,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    const counts = await Promise.all(fillings.map(({ body }) => matchedBy(body, client, signal)));
    if (!(sumOf(counts) <= maxItems)) return undefined;
    return sumOf(await Promise.all(fillings.map(({ source }, i) => (counts[i] === 0 ? 0 : lengthOf(source)))));
  } catch {
    // the page is there without a count
    signal?.throwIfAborted();
    return undefined;
  }
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

/** NaN where the upstream does not count. */
async function matchedBy(
  body: FillingSource["body"],
  client: UpstreamClient,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { matched } = await client.search({ ...body, limit: 1 }, { signal, hasToken: false, retries: 0 });
  return matched ?? Number.NaN;
}

async function lengthOf(source: FillingSource["source"]): Promise<number> {
  const reader = source.open(undefined, "next", undefined);
  let length = 0;
  for (;;) {
    const { entries, isOver } = await reader.read(MAX_FILLING_ITEMS);
    length += entries.length;
    if (isOver) return length;
  }
}
