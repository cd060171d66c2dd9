import type { Catalog, Item } from "@swath/catalog";
import { COVERAGE_TOLERANCE, type PolygonGeometry, type Selection, selectScenes, sortScenes } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import {
  compareInstants,
  type Filter,
  findInstant,
  type Instant,
  type Interval,
  matchesFilter,
  type SortField,
} from "@swath/query";
import type { Bbox } from "@swath/raster";
import type { CollectionMatch, CollectionRegistry, MosaickingOrder } from "@swath/schema";
import type { ProcessRequest } from "../job/requests.ts";
import { footprintOf } from "../read/recipe-read.ts";
import { invalidBody } from "../where/area.ts";
import { cloudFilter, wholePage } from "./scene-walk.ts";
import { searchScope } from "./search-scope.ts";

/** Scenes in one mosaic. */
export const MAX_SCENES = 6;
/** Items asked of the catalog at once: most mosaics are complete after one page. */
const PAGE = 100;
const ITEM_ID = /^[A-Za-z0-9_.-]{1,128}$/;
const FILTER = "/input/data/0/dataFilter";

type DataFilter = ProcessRequest["input"]["data"][number]["dataFilter"];

/** Which scenes a request selects: by id, or by time. */
export type SceneSelection =
  | { readonly kind: "ids"; readonly ids: readonly { readonly id: string; readonly pointer: string }[] }
  | {
      readonly kind: "time";
      readonly window: Interval;
      readonly maxCloudCover: number | undefined;
      readonly order: MosaickingOrder;
    };

/**
 * Reads `dataFilter`.
 *
 * @throws {ProblemError} `invalid-body` for both or neither of `ids` and `timeRange`, for `ids` together with what
 *   chooses among scenes, and for times that are none.
 */
export function selectionOf(filter: DataFilter): SceneSelection {
  const { ids, timeRange, maxCloudCoverage, mosaickingOrder = "mostRecent" } = filter;
  if ((ids === undefined) === (timeRange === undefined)) {
    throw invalidBody(FILTER, `Expected timeRange or ids, got ${ids === undefined ? "neither" : "both"}.`);
  }
  if (ids !== undefined) {
    for (const name of ["maxCloudCoverage", "mosaickingOrder"] as const) {
      if (filter[name] !== undefined) {
        throw invalidBody(
          `${FILTER}/${name}`,
          `${name} belongs to timeRange: ids name each scene, in the order of the mosaic.`,
        );
      }
    }
    const first = ids
      .map((id, i) => ({ id, pointer: `${FILTER}/ids/${i}` }))
      .filter(({ id }, i) => ids.indexOf(id) === i);
    return { kind: "ids", ids: first };
  }
  const [start, end] = (["from", "to"] as const).map((name): Instant => {
    const text = timeRange?.[name] ?? "";
    const instant = findInstant(text);
    if (instant !== undefined) return instant;
    throw invalidBody(`${FILTER}/timeRange/${name}`, `Expected an RFC 3339 date-time with zone, got "${text}".`);
  }) as [Instant, Instant];
  if (compareInstants(start, end) > 0) {
    throw invalidBody(`${FILTER}/timeRange`, `from ${timeRange?.from} is after to ${timeRange?.to}.`);
  }
  // without a ceiling, scenes whose cloud cover is unknown count too
  const maxCloudCover = maxCloudCoverage === 100 ? undefined : maxCloudCoverage;
  return { kind: "time", window: { start, end }, maxCloudCover, order: mosaickingOrder };
}

export interface SceneSearch {
  readonly match: CollectionMatch;
  readonly registry: CollectionRegistry;
  readonly bbox: Bbox;
  readonly area: PolygonGeometry;
  readonly signal: AbortSignal;
  /** Scenes found unreadable: others take their place. */
  readonly without: ReadonlySet<string>;
}

/** What of an item decides whether it is read. */
export interface Candidate {
  readonly id: string;
  readonly time: number | undefined;
  readonly cloudCover: number | undefined;
  readonly footprint?: ReturnType<typeof footprintOf>;
  readonly bbox?: Bbox;
  readonly item: Item;
}

export function candidateOf(item: Item): Candidate {
  const footprint = footprintOf(item);
  const cloudCover = item.properties["eo:cloud_cover"];
  return {
    id: item.id,
    time: item.properties.datetime === null ? undefined : Date.parse(item.properties.datetime),
    cloudCover: typeof cloudCover === "number" ? cloudCover : undefined,
    ...(footprint.length === 0 ? {} : { footprint }),
    ...(item.bbox === undefined ? {} : { bbox: item.bbox }),
    item,
  };
}

/**
 * The items that the output is made of, first on top.
 *
 * @throws {ProblemError} `not-found` where no scene matches or an id is unknown, `invalid-body` for a named scene that
 *   misses the area, `too-many-scenes` where six do not cover what seven would.
 */
export function findScenes(catalog: Catalog, selection: SceneSelection, search: SceneSearch): Promise<readonly Item[]> {
  return selection.kind === "ids"
    ? namedScenes(catalog, selection.ids, search)
    : scenesInTime(catalog, selection, search);
}

async function namedScenes(
  catalog: Catalog,
  ids: Extract<SceneSelection, { kind: "ids" }>["ids"],
  search: SceneSearch,
): Promise<readonly Item[]> {
  const { match, registry, area, signal } = search;
  const collection = match.collection.id;
  const { filter } = searchScope([match], registry);
  const found = await Promise.all(
    ids.map(async ({ id, pointer }) => {
      const item = ITEM_ID.test(id) ? await catalog.item(collection, id, { signal }) : undefined;
      if (item !== undefined && (filter === undefined || matchesFilter(filter, item) === true))
        return { item, pointer };
      const detail = `${collection} has no item "${id}".`;
      throw new ProblemError("not-found", detail, { errors: [{ pointer, detail }] });
    }),
  );
  for (const { item, pointer } of found) {
    if (selectScenes([candidateOf(item)], area, 1, { tolerance: 0 }).scenes.length === 0) {
      throw invalidBody(pointer, `Scene ${item.id} lies outside the area.`);
    }
  }
  return found.map(({ item }) => item);
}

const ORDERS: Readonly<Record<MosaickingOrder, readonly SortField[]>> = {
  mostRecent: [
    { field: "datetime", direction: "desc" },
    { field: "id", direction: "asc" },
  ],
  leastRecent: [
    { field: "datetime", direction: "asc" },
    { field: "id", direction: "asc" },
  ],
  leastCC: [
    { field: "eo:cloud_cover", direction: "asc" },
    { field: "datetime", direction: "desc" },
    { field: "id", direction: "asc" },
  ],
};

async function scenesInTime(
  catalog: Catalog,
  { window, maxCloudCover, order }: Extract<SceneSelection, { kind: "time" }>,
  { match, registry, bbox, area, signal, without }: SceneSearch,
): Promise<readonly Item[]> {
  const filters = [searchScope([match], registry).filter, cloudFilter(maxCloudCover)].filter(
    (each) => each !== undefined,
  );
  const query = {
    collections: [match.collection.id],
    bbox,
    datetime: window,
    sortby: ORDERS[order],
    limit: PAGE,
    ...(filters.length === 0 ? {} : { filter: filters.length === 1 ? (filters[0] as Filter) : and(filters) }),
  };
  const candidates: Candidate[] = [];
  let selection: Selection<Candidate>;
  let matched: number | undefined;
  let token: string | undefined;
  do {
    const page = wholePage(await catalog.search(token === undefined ? query : { ...query, token }, { signal }));
    matched ??= page.numberMatched;
    candidates.push(...page.items.filter(({ id }) => !without.has(id)).map(candidateOf));
    selection = selectScenes(sortScenes(candidates, order), area, MAX_SCENES);
    token = page.next;
    // pages come in the order of the mosaic, so what is covered stays covered
  } while (token !== undefined && !selection.tooMany && selection.covered < 1 - COVERAGE_TOLERANCE);
  if (selection.tooMany) {
    const matchedScenes = matched ?? candidates.length;
    throw new ProblemError(
      "too-many-scenes",
      `${matchedScenes} scenes match, and more than ${MAX_SCENES} would be needed to cover the area. Ask for less area, or for another time.`,
      { limits: { maxScenes: MAX_SCENES, matchedScenes } },
    );
  }
  if (selection.scenes.length === 0) {
    throw new ProblemError("not-found", "There is no scene over the box in the time range.");
  }
  return selection.scenes.map(({ item }) => item);
}

const and = (args: readonly Filter[]): Filter => ({ op: "and", args });
