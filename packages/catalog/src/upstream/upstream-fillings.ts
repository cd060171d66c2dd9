import type { UpstreamClient } from "./upstream-client.ts";
import type { FillingSource } from "./upstream-sources.ts";

/** Most items of collections that fill gaps that are compared to be counted. */
const MOST = 500;

/** Matches in collections that fill gaps. */
export interface Fillings {
  /**
   * Counts those that fill a gap; `undefined` where the upstream does not say how many there are, or there are too many to
   * compare.
   *
   * @throws {CatalogError}
   */
  count(): Promise<number | undefined>;
}

/** Asks an upstream how many matches there are in collections that fill gaps. Where it does not answer, it does not say. */
export async function askFillings(
  fillings: readonly FillingSource[],
  client: UpstreamClient,
  signal: AbortSignal | undefined,
): Promise<Fillings> {
  const counts = await Promise.all(fillings.map(({ body }) => matchedBy(body, client, signal)));
  const matched = counts.reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  );
  return {
    async count() {
      if (matched === undefined || matched > MOST) return undefined;
      const found = await Promise.all(fillings.map(({ source }, i) => (counts[i] === 0 ? 0 : lengthOf(source))));
      return found.reduce((sum, each) => sum + each, 0);
    },
  };
}

async function matchedBy(
  body: FillingSource["body"],
  client: UpstreamClient,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    return (await client.search({ ...body, limit: 1 }, { signal, hasToken: false, retries: 0 })).matched;
  } catch {
    // the search itself fails where the upstream does not answer
    return undefined;
  }
}

async function lengthOf(source: FillingSource["source"]): Promise<number> {
  const reader = source.open(undefined, "next", undefined);
  let length = 0;
  for (;;) {
    const { entries, isOver } = await reader.read(MOST);
    length += entries.length;
    if (isOver) return length;
  }
}
