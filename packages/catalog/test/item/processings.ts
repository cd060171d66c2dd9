import { type ItemQuery, matchesItemQuery } from "@swath/query";
import type { CollectionRegistry } from "@swath/schema";
import { type Catalog, type Item, toServiceItem } from "../../src/index.ts";
import type { Document } from "../fixtures.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";

const MINUTE = 60_000;
export const VIRTUAL = "optical-sr";

/** Items of which every fourth has been processed once or twice more, some of them minutes apart. */
export function processedItems(count: number, seed = 1): Document[] {
  return upstreamItems(count, seed).flatMap((item, i) => {
    const properties = item.properties as Record<string, unknown>;
    const time = Date.parse(String(properties.datetime));
    const again = (n: number): Document => ({
      ...item,
      id: `${String(item.id)}_${n}`,
      properties: {
        ...properties,
        // the second is more than ten minutes from the first item, and in the same overpass by the one between
        datetime: new Date(time + (i % 8 === 0 ? n * 7 * MINUTE : n * 900)).toISOString(),
        created: new Date(Date.parse(String(properties.created)) + ((i % 5) - 2) * n * MINUTE).toISOString(),
        "eo:cloud_cover": (i * 7 + n * 31) % 100,
        ...(item.collection === "sentinel-2-c1-l2a"
          ? { "s2:processing_baseline": ["02.14", "05.10", "05.11"][(i + n) % 3] }
          : {}),
      },
    });
    return i % 4 === 0 ? [item, again(1), ...(i % 8 === 0 ? [again(2)] : [])] : [item];
  });
}

/** Works out the contents of the virtual collection item by item: each item is compared with all that it chains to. */
export function naiveVirtual(documents: readonly Document[], registry: CollectionRegistry): readonly Item[] {
  const members = new Set(registry.resolve(VIRTUAL).virtual?.members.map(({ id }) => id));
  const items = documents
    .flatMap((document) => toServiceItem(document, registry) ?? [])
    .filter(({ collection }) => members.has(collection));
  const tileOf = ({ properties }: Item): string => {
    const { platform } = properties;
    return `${platform} ${properties["s2:mgrs_tile"]} ${properties["landsat:wrs_path"]} ${properties["landsat:wrs_row"]}`;
  };
  const times = new Map(items.map((item) => [item, Date.parse(String(item.properties.datetime))]));
  const timeOf = (item: Item): number => times.get(item) ?? Number.NaN;
  const byTile = new Map<string, Item[]>();
  for (const item of items) byTile.set(tileOf(item), [...(byTile.get(tileOf(item)) ?? []), item]);
  const rankOf = ({ id, properties }: Item): readonly [number, number, string] => [
    Number(properties["s2:processing_baseline"] ?? -1),
    Date.parse(String(properties.created)),
    id,
  ];
  const isBefore = (a: Item, b: Item): boolean => {
    const [x, y] = [rankOf(a), rankOf(b)];
    const at = x.findIndex((value, i) => value !== y[i]);
    return at !== -1 && (x[at] as number) < (y[at] as number);
  };
  return items.filter((item) => {
    const near = byTile.get(tileOf(item)) ?? [];
    const reached = new Set([item]);
    for (const one of reached) {
      for (const other of near) if (Math.abs(timeOf(other) - timeOf(one)) <= 10 * MINUTE) reached.add(other);
    }
    return ![...reached].some((other) => isBefore(item, other));
  });
}

/** Ids of the items that a search should find, newest first, then by id. */
export function naiveIds(items: readonly Item[], query: ItemQuery): string[] {
  const timeOf = ({ properties }: Item): number => Date.parse(String(properties.datetime));
  return items
    .filter((item) => matchesItemQuery({ ...query, collections: [] }, item))
    .sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

/** Pages forwards to the end, then backwards to the beginning. */
export async function thereAndBack(catalog: Catalog, limits: readonly number[], query: ItemQuery) {
  const there: string[][] = [];
  let page = await catalog.search({ ...query, limit: limits[0] as number });
  for (let i = 1; ; i++) {
    there.push(page.items.map(({ id }) => id));
    if (page.next === undefined) break;
    page = await catalog.search({ ...query, limit: limits[i % limits.length] as number, token: page.next });
  }
  const back: string[] = [...(there.at(-1) ?? [])];
  for (let i = 0; page.prev !== undefined; i++) {
    page = await catalog.search({ ...query, limit: limits[i % limits.length] as number, token: page.prev });
    back.unshift(...page.items.map(({ id }) => id));
  }
  return { there, back };
}
