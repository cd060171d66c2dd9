import type { Catalog, Item } from "@swath/catalog";
import { type Candidate, candidateOf, wholePage } from "@swath/engine/node";
import { type PolygonGeometry, selectScenes, sortScenes } from "@swath/mosaic";
import { parseDatetime } from "@swath/query";
import type { Bbox } from "@swath/raster";
import { ProblemError } from "../../problems.ts";
import { LegacyError } from "../errors.ts";
import { type DownloadRequest, MAX_ITEMS } from "./request.ts";

export interface DownloadScenes {
  /** Those to read, first on top. */
  readonly items: readonly Item[];
  /** Ids of all that were looked at, in the same order. */
  readonly considered: readonly string[];
}

export interface SceneSearch {
  readonly collection: string;
  readonly bbox: Bbox;
  readonly area: PolygonGeometry;
  readonly signal: AbortSignal;
  readonly without: ReadonlySet<string>;
}

const PAGE = 100;
/** Pages read of a window: more than 6 scenes of one platform are found long before. */
const MAX_PAGES = 10;

/**
 * The scenes of a download.
 *
 * @throws {LegacyError} 404 for an unknown item or a window without scenes, 400 where the box misses all named ones,
 *   413 for more than six in the window.
 */
export function downloadScenes(
  catalog: Catalog,
  request: DownloadRequest,
  search: SceneSearch,
): Promise<DownloadScenes> {
  const { item, items, datetime } = request;
  return datetime == null
    ? namedScenes(catalog, item == null ? (items ?? []) : [item], request, search)
    : windowScenes(catalog, datetime, request, search);
}

async function namedScenes(
  catalog: Catalog,
  ids: readonly string[],
  { order, collection: upstream }: DownloadRequest,
  { collection, area, signal }: SceneSearch,
): Promise<DownloadScenes> {
  const wanted = [...new Set(ids)];
  const found = await Promise.all(wanted.map((id) => catalog.item(collection, id, { signal })));
  const candidates = found.map((item, i) => {
    if (item !== undefined) return candidateOf(item);
    throw LegacyError.detail(404, `Could not find Item ${wanted[i]} in ${upstream} collection.`);
  });
  const ordered = inOrder(candidates, order);
  const touching = ordered.filter((candidate) => touches(candidate, area));
  if (touching.length === 0) throw LegacyError.detail(400, "The box misses the scenes.");
  return { items: touching.map(({ item }) => item), considered: ordered.map(({ id }) => id) };
}

const touches = (candidate: Candidate, area: PolygonGeometry): boolean =>
  selectScenes([candidate], area, 1, { tolerance: 0 }).scenes.length > 0;

const inOrder = (candidates: readonly Candidate[], order: DownloadRequest["order"]): readonly Candidate[] =>
  order === "as_given" ? candidates : sortScenes(candidates, "leastCC");

/** Every scene over the box of the platform that the clearest one is from. */
async function windowScenes(
  catalog: Catalog,
  datetime: string,
  { order }: DownloadRequest,
  { collection, bbox, area, signal, without }: SceneSearch,
): Promise<DownloadScenes> {
  const query = {
    collections: [collection],
    bbox,
    datetime: parseDatetime(datetime),
    sortby: [
      { field: "eo:cloud_cover", direction: "asc" },
      { field: "datetime", direction: "desc" },
      { field: "id", direction: "asc" },
    ],
    limit: PAGE,
  } as const;
  const found: Candidate[] = [];
  let platform: unknown;
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = wholePage(await catalog.search(token === undefined ? query : { ...query, token }, { signal }));
    for (const candidate of answer.items.map(candidateOf)) {
      if (without.has(candidate.id) || !touches(candidate, area)) continue;
      // the first one is the clearest
      platform ??= candidate.item.properties.platform;
      if (candidate.item.properties.platform === platform) found.push(candidate);
    }
    token = answer.next;
    if (token === undefined) break;
  }
  if (found.length === 0) throw LegacyError.detail(404, "There are no scenes over the box in the datetime window.");
  if (found.length > MAX_ITEMS) {
    throw new ProblemError(
      "too-many-scenes",
      `${found.length} scenes of ${String(platform)} are over the box in the datetime window, at most ${MAX_ITEMS} make a mosaic.`,
      { limits: { maxScenes: MAX_ITEMS, matchedScenes: found.length } },
    );
  }
  // as given by a search: newest first
  const ordered = order === "as_given" ? sortScenes(found, "mostRecent") : found;
  return { items: ordered.map(({ item }) => item), considered: ordered.map(({ id }) => id) };
}
