import type { Item } from "@swath/catalog";
import { type Geometry, type PolygonGeometry, polygonsOf } from "@swath/geometry";
import type { PlannedLoad } from "@swath/openeo";
import { findInstant, type Instant } from "@swath/query";
import type { EngineParts } from "../../parts.ts";
import { type CubeCollection, cubeCollection } from "../../what/cube-bands.ts";
import type { LoadedTimes } from "../../when/cube-items.ts";
import { groupByOverpass, sourceItems, timeOf, withoutOlderProcessings } from "../../when/overpasses.ts";
import { walkScenes } from "../../when/scene-walk.ts";
import { searchAreaOf } from "../../where/cube-region.ts";

/** Time of the first moment after which no scene is. */
const instantOf = (milliseconds: number): Instant => findInstant(new Date(milliseconds).toISOString())!;

/**
 * The time steps of a load: all scenes over its extent, by one search walk; those of one overpass are one step.
 *
 * @param maxItems scenes that may match, at least 1
 * @throws what searching throws.
 */
export async function searchTimes(
  { catalog, registry, now }: Pick<EngineParts, "catalog" | "registry" | "now">,
  load: PlannedLoad,
  { signal, maxItems }: { readonly signal: AbortSignal; readonly maxItems: number },
): Promise<LoadedTimes> {
  const collection = collectionOf(registry, load.collection);
  const { match } = collection;
  const [from, to] = load.time;
  const start = Math.max(from ?? Number.NEGATIVE_INFINITY, timeAt(match.collection.start));
  const end = to ?? now().getTime() + 1;
  if (!(start < end)) return { load, collection, steps: [] };
  const searched = searchAreaOf(load.searched, ["what", "graph", "nodes", ...load.path]);
  // an interval of a search has both its ends
  const window = { start: instantOf(start), end: instantOf(end - 1) };
  const items = await walkScenes(catalog, { matches: [match], registry, ...searched, window }, { signal, maxItems });
  const found = sourceItems(items, match.collection).filter(({ item }) => timeOf(item) >= start && timeOf(item) < end);
  const newest = withoutOlderProcessings(found).filter(({ item }) => passes(item, load));
  const area = polygonsIn(searched.geometry);
  const overpasses = groupByOverpass(newest, area).map((own) => own.map(({ item }) => item));
  return { load, collection, steps: labelled(overpasses) };
}

/** The polygons of a geometry, by whose shares the items of an overpass are ordered; `undefined`: it has points. */
function polygonsIn(geometry: Geometry): PolygonGeometry | undefined {
  if (geometry.type === "Polygon" || geometry.type === "MultiPolygon") return geometry;
  if (geometry.type !== "GeometryCollection") return undefined;
  const parts = geometry.geometries.map(polygonsIn);
  if (parts.includes(undefined)) return undefined;
  return { type: "MultiPolygon", coordinates: parts.flatMap((part) => polygonsOf(part!)) };
}

const EARLIEST = Date.UTC(1970, 0, 1);

function timeAt(start: string): number {
  const time = Date.parse(start);
  return Number.isFinite(time) ? time : EARLIEST;
}

function passes({ properties }: Item, { properties: filters }: PlannedLoad): boolean {
  for (const [name, filter] of filters) {
    const value = Object.hasOwn(properties, name) ? (properties as Readonly<Record<string, unknown>>)[name] : null;
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (!filter(isPlain ? value : null)) return false;
  }
  return true;
}

/** Time steps, oldest first, by the time of the item on top: to the second, or finer where two would be the same. */
function labelled(overpasses: readonly (readonly Item[])[]): LoadedTimes["steps"] {
  const timed = overpasses
    .map((items) => ({ items, time: timeOf(items[0]!) }))
    .sort((a, b) => a.time - b.time || (a.items[0]!.id < b.items[0]!.id ? -1 : 1));
  const taken = new Set<string>();
  return timed.map(({ items, time }) => {
    let label = new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
    for (let later = time; taken.has(label); later++) label = new Date(later).toISOString();
    taken.add(label);
    return { label, items };
  });
}

function collectionOf(registry: EngineParts["registry"], id: string): CubeCollection {
  const match = registry.find(id);
  if (match === undefined) throw new Error(`The collection ${id} is gone.`);
  return cubeCollection(match);
}
