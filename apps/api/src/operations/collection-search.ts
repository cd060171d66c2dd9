import { CatalogError, type Extent } from "@swath/catalog";
import { bboxGeometry, geometriesIntersect } from "@swath/geometry";
import {
  type Bbox,
  type Interval,
  matchesInterval,
  parseBbox,
  parseDatetime,
  parseLimit,
  QueryError,
} from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { type CollectionWithExtent, listCollections } from "./collections.ts";
import type { Extents } from "./extents.ts";
import type { PageTokens } from "./page-tokens.ts";
import type { SearchParts } from "./services.ts";

/** Parameters as text, as the STAC collection search extension names them. */
export interface CollectionSearchInput {
  readonly bbox?: string | undefined;
  readonly datetime?: string | undefined;
  readonly limit?: string | undefined;
  /** Words or phrases, comma-separated, of which one has to be in a collection's texts. */
  readonly q?: string | undefined;
  /** Position of the page's first collection, as links of pages give it. */
  readonly token?: string | undefined;
}

export interface CollectionPage {
  readonly found: readonly CollectionWithExtent[];
  readonly numberMatched: number;
  /** Token of the page after this one; absent where it is the last. */
  readonly next?: string;
}

/**
 * The live collections that touch a box and a time and hold one of some words; all of them without parameters.
 *
 * @throws {QueryError} `invalid-parameter` for a parameter that does not parse.
 */
export async function searchCollections(
  { registry, extents, pageTokens }: Pick<SearchParts, "registry" | "pageTokens"> & { readonly extents: Extents },
  { bbox, datetime, limit, q, token }: CollectionSearchInput,
  options: { readonly signal: AbortSignal },
): Promise<CollectionPage> {
  const box = bbox === undefined ? undefined : parseBbox(bbox);
  const interval = datetime === undefined ? undefined : parseDatetime(datetime);
  const size = limit === undefined ? Number.POSITIVE_INFINITY : parseLimit(limit);
  const words = (q ?? "")
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
  const start = token === undefined ? 0 : positionOf(token, pageTokens);
  const matching = (await listCollections(registry, extents, options)).filter(
    ({ collection, extent }) =>
      (box === undefined || touches(extent, box)) &&
      (interval === undefined || overlaps(extent, interval)) &&
      (words.length === 0 || words.some((word) => textOf(collection).includes(word))),
  );
  const end = start + size;
  return {
    found: matching.slice(start, end),
    numberMatched: matching.length,
    ...(end < matching.length ? { next: pageTokens.sign(`${POSITION}${end}`) as string } : {}),
  };
}

/** The beginning of this list's tokens, so that those of items are none. */
const POSITION = "collections-";

function positionOf(token: string, tokens: PageTokens): number {
  try {
    const [, position] = /^collections-(\d{1,4})$/.exec(tokens.read(token)) ?? [];
    if (position !== undefined) return Number(position);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
  throw new QueryError("invalid-parameter", "token", "The token is not one of this service.");
}

function touches({ spatial }: Extent, box: Bbox): boolean {
  // of several boxes the first encloses the others
  const boxes = spatial.bbox.length > 1 ? spatial.bbox.slice(1) : spatial.bbox;
  return boxes.some((each) => geometriesIntersect(bboxGeometry(each), bboxGeometry(box)));
}

function overlaps({ temporal }: Extent, interval: Interval): boolean {
  return temporal.interval.some(
    ([start, end]) => matchesInterval(interval, { start_datetime: start, end_datetime: end }) !== false,
  );
}

/** Returns the text that describes a collection. */
function textOf({ id, title, description, keywords }: CollectionSchema): string {
  return [id, title, description, ...keywords].join("\n").toLowerCase();
}
