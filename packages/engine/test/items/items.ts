import type { Item } from "@swath/catalog";
import { type CollectionSchema, resolveCollection } from "@swath/schema";

export interface ItemFacts {
  readonly id?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Assets that the item lacks. */
  readonly without?: readonly string[];
}

/** An item of a collection with a file for each of its bands: `archive:{asset}.tif`. */
export function itemOf(
  collection: string | CollectionSchema,
  { id = "a", properties, without = [] }: ItemFacts = {},
): Item {
  const { bands, id: name } = typeof collection === "string" ? resolveCollection(collection) : collection;
  const assets = bands.flatMap(({ asset, name: own }) => {
    const key = asset ?? own;
    return without.includes(key) ? [] : [[key, { href: `archive:${key}.tif` }]];
  });
  return {
    id,
    collection: name,
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [13, 45],
          [14, 45],
          [14, 46],
          [13, 45],
        ],
      ],
    },
    assets: Object.fromEntries(assets),
    properties: { datetime: "2024-07-04T10:00:00Z", ...properties },
  } as unknown as Item;
}
