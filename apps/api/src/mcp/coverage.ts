import type { Interval } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { withExtent } from "../operations/collections.ts";
import { coverageText } from "./coverage-text.ts";
import type { ToolServices } from "./tool.ts";

/** The collections, area and time in which nothing was found. */
export interface Asked {
  readonly collections: readonly CollectionSchema[];
  /** Degrees. */
  readonly bbox?: readonly number[] | undefined;
  readonly window?: Interval | undefined;
}

/** Collections that are told of: a search may be of all. */
const MOST = 5;

/**
 * Explains why nothing may have been found: what the collections cover, and whether longitude and latitude seem to be
 * swapped. A model that reads "0 observations" alone believes that there are none.
 *
 * @throws the reason of `signal` when that is aborted.
 */
export async function coverageOf(
  { extents }: Pick<ToolServices, "extents">,
  { collections, bbox, window }: Asked,
  options: { readonly signal: AbortSignal },
): Promise<string> {
  const found = await Promise.all(collections.slice(0, MOST).map((each) => withExtent(extents, each, options)));
  const covers = found.map(({ collection: { id }, extent }) => {
    const [from, to] = extent.temporal.interval[0] ?? [null, null];
    return { id, boxes: extent.spatial.bbox, from: from ?? null, to: to ?? null };
  });
  return coverageText(covers, { bbox, window });
}
