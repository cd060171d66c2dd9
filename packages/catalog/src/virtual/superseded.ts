import { allOf, type Filter, findInstant, type Interval } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { Catalog } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import type { Item } from "../item/item.ts";
import { grouped, membershipOf, newestOf, overpassesOf, type Processing, toProcessing } from "../item/processings.ts";
import { OVERPASS_MS } from "../item/satellites.ts";
import { pagesOf } from "../pages.ts";

/** Items of one request for other processings: one response of an upstream. */
const PAGE = 250;
/** More items than these are looked up in parts: for fewer tiles, in less time. */
const MOST = 4 * PAGE;
/** Pages of one lookup after which it is divided: a catalog that filters itself gives short ones. */
const MAX_PAGES = 4;
/** Pages of a lookup that cannot be divided: one tile in some twenty minutes. */
const MOST_PAGES = 40;
/**
 * Most times that the time is widened for an overpass that goes on: two hours. A satellite's next one is 98 minutes
 * later.
 */
const MAX_ROUNDS = 12;

/** The inputs of a lookup of other processings, and the number of requests it has made. */
export interface Lookup {
  readonly catalog: Catalog;
  /** The virtual collection. */
  readonly collection: CollectionSchema;
  readonly signal: AbortSignal | undefined;
  /** Names of upstreams that are not asked any more, because they did not answer. */
  readonly missing: Set<string>;
  requests: number;
}

/**
 * Finds those of these items that have a newer processing among the items of a virtual collection's members: another
 * item of the same platform and overpass on the same tile.
 *
 * @returns their keys, as `itemKey` makes them.
 * @throws {CatalogError} as the catalog of the members does.
 */
export async function supersededItems(lookup: Lookup, items: readonly Item[]): Promise<ReadonlySet<string>> {
  const { collection } = lookup;
  const members = collection.virtual?.members ?? [];
  const scenes = items.flatMap((item) => {
    const member = members.find(({ id }) => id === item.collection);
    const membership = member && membershipOf(collection, member);
    return (membership && toProcessing(item, membership)) ?? [];
  });
  const found = await Promise.all(grouped(scenes, ({ grid }) => grid).map((own) => superseded(lookup, own)));
  return new Set(found.flat());
}

/** A time in milliseconds since 1970, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** @param scenes of one grid, at least one */
async function superseded(lookup: Lookup, scenes: readonly Processing[]): Promise<readonly string[]> {
  const own = new Set(scenes.map(({ key }) => key));
  let span = widened(scenes);
  for (let round = 1; ; round++) {
    const others = await scenesOn(lookup, scenes, span, round > 1);
    if (others === undefined) {
      const [early, late] = halves(scenes);
      return (await Promise.all([superseded(lookup, early), superseded(lookup, late)])).flat();
    }
    const all = new Map([...scenes, ...others].map((scene) => [scene.key, scene]));
    const overpasses = overpassesOf(all.values()).filter((each) => each.some(({ key }) => own.has(key)));
    const needed = widened(overpasses.flat());
    if (round >= MAX_ROUNDS || (needed.from >= span.from && needed.to <= span.to)) {
      return overpasses.flatMap((overpass) => {
        const newest = newestOf(overpass);
        return overpass.flatMap(({ key }) => (own.has(key) && key !== newest?.key ? [key] : []));
      });
    }
    span = needed;
  }
}

/** The time of scenes, and of what can belong to the same overpasses. */
function widened(scenes: readonly Processing[]): Span {
  const times = scenes.map(({ time }) => time);
  return { from: Math.min(...times) - OVERPASS_MS, to: Math.max(...times) + OVERPASS_MS };
}

/** Two parts that share no overpass's time where that is possible: the earlier and the later half. */
function halves(scenes: readonly Processing[]): [readonly Processing[], readonly Processing[]] {
  const sorted = [...scenes].sort((a, b) => a.time - b.time);
  const middle = sorted.length >> 1;
  return [sorted.slice(0, middle), sorted.slice(middle)];
}

/**
 * Every scene of the members on the tiles of these scenes in a span; `undefined` where they are too many for one
 * lookup and the scenes can be divided.
 *
 * @param whole take all, however many they are
 */
async function scenesOn(
  lookup: Lookup,
  scenes: readonly Processing[],
  span: Span,
  whole: boolean,
): Promise<readonly Processing[] | undefined> {
  const { collection } = lookup;
  const memberships = (collection.virtual?.members ?? []).flatMap((member) => {
    const membership = membershipOf(collection, member);
    return membership !== undefined && membership.grid === scenes[0]?.grid ? [{ id: member.id, membership }] : [];
  });
  // members that name tiles by the same properties are searched together
  const tilings = grouped(memberships, ({ membership }) => JSON.stringify(membership.tile));
  const mayDivide = !whole && scenes.length > 1;
  const found = await Promise.all(
    tilings.map(async (members) => {
      const names = members[0]?.membership.tile ?? [];
      const filter = onTiles(names, scenes);
      const items = await itemsOf(
        lookup,
        members.map(({ id }) => id),
        { datetime: intervalOf(span), ...(filter === undefined ? {} : { filter }) },
        mayDivide,
      );
      return items?.flatMap((item) => {
        const membership = members.find(({ id }) => id === item.collection)?.membership;
        return (membership && toProcessing(item, membership)) ?? [];
      });
    }),
  );
  const complete = found.filter((each) => each !== undefined);
  return complete.length < found.length ? undefined : complete.flat();
}

async function itemsOf(
  lookup: Lookup,
  collections: readonly string[],
  conditions: { readonly datetime: Interval; readonly filter?: Filter },
  mayDivide: boolean,
): Promise<readonly Item[] | undefined> {
  const { catalog, signal, missing } = lookup;
  const items: Item[] = [];
  let pages = 0;
  try {
    const query = { collections, ...conditions, sortby: [], limit: PAGE };
    for await (const page of pagesOf(catalog, query, { signal, without: missing })) {
      pages += 1;
      lookup.requests += 1;
      items.push(...page.items);
      const isLong = page.next !== undefined && (items.length >= MOST || pages >= MAX_PAGES);
      if (mayDivide && (isLong || (page.numberMatched ?? 0) > MOST)) return undefined;
      if (pages >= MOST_PAGES) break;
    }
  } catch (error) {
    // all upstreams that may have them are left out
    const isLeftOut = error instanceof CatalogError && error.upstreams.length > 0;
    if (!isLeftOut || !error.upstreams.every((name) => missing.has(name))) throw error;
    lookup.requests += 1;
  }
  return items;
}

/** Each property of a tile among the values that these scenes have: their tiles, and few others. */
function onTiles(names: readonly string[], scenes: readonly Processing[]): Filter | undefined {
  const args = names.map((property, i): Filter => {
    const values = [...new Set(scenes.flatMap(({ tile }) => tile[i] ?? []))];
    return { op: "in", operand: { property }, values: values.map((literal) => ({ literal })) };
  });
  return allOf(...args);
}

function intervalOf({ from, to }: Span): Interval {
  const start = findInstant(new Date(from).toISOString());
  // times are written to the nanosecond; those of the span's last millisecond belong to it
  const end = findInstant(new Date(to + 1).toISOString());
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}
