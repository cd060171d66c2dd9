import type { Item } from "@swath/catalog";
import { itemKey, newestOf, overpassesAt, overpassesOf, sensorOf, toProcessing } from "@swath/catalog/overpasses";
import type { PolygonGeometry } from "@swath/geometry";
import { selectScenes } from "@swath/mosaic";
import { itemTime } from "@swath/query";
import { type CollectionSchema, sourceCollection } from "@swath/schema";
import { footprintOf } from "../items/placement.ts";

/** An item, and the collection whose files it has: its own, or the member of a virtual collection. */
export interface SourceItem {
  readonly item: Item;
  readonly source: CollectionSchema;
}

/** Items with the collections that have their files; those of none of them are left out. */
export function sourceItems(items: readonly Item[], collection: CollectionSchema): readonly SourceItem[] {
  return items.flatMap((item) => {
    const source = sourceCollection(collection, item.properties);
    return source === undefined ? [] : [{ item, source }];
  });
}

/** Shares of an area that differ by less are the same: footprints are approximate. */
const SHARE_STEPS = 1000;

/**
 * Without the items of which a newer processing is among them: another item of the same platform, tile and overpass.
 * Items of collections that do not say how they name tiles all stay.
 */
export function withoutOlderProcessings<T extends SourceItem>(items: readonly T[]): readonly T[] {
  const older = new Set(
    overpassesOf(items.flatMap((each) => processingOf(each) ?? [])).flatMap((overpass) => {
      const newest = newestOf(overpass);
      return overpass.flatMap(({ key }) => (key === newest?.key ? [] : [key]));
    }),
  );
  return items.filter(({ item }) => !older.has(itemKey(item)));
}

/**
 * The items that count: the newest processing of each, and of those the ones of at most so much cloud. In this order: an older
 * processing must not come back where the newer one is cloudier.
 *
 * @param maxCloudCover percent; items whose cloud cover is unknown are left out where it is given
 */
export function itemsThatCount<T extends SourceItem>(
  items: readonly T[],
  maxCloudCover: number | undefined,
): readonly T[] {
  const newest = withoutOlderProcessings(items);
  if (maxCloudCover === undefined) return newest;
  return newest.filter(({ item }) => {
    const cover = item.properties["eo:cloud_cover"];
    return typeof cover === "number" && cover <= maxCloudCover;
  });
}

function processingOf({ item, source }: SourceItem) {
  const [membership] = source.memberOf;
  return membership && toProcessing(item, membership);
}

/**
 * Groups items by overpass, oldest first, whatever collections they are of. Those without a platform are of the overpass
 * that they fall in; those without a time are left out.
 *
 * @param area by which the items of an overpass are ordered; absent for a point, which each of them covers
 */
export function groupByOverpass<T extends SourceItem>(
  items: readonly T[],
  area: PolygonGeometry | undefined,
): readonly (readonly T[])[] {
  const timed = items
    .map((each) => ({ each, time: timeOf(each.item), sensor: sensorOf(each.item.properties) }))
    .filter(({ time }) => Number.isFinite(time))
    .sort(byTime);
  return overpassesAt(timed)
    .sort(([a], [b]) => byTime(a!, b!))
    .map((overpass) =>
      inOrder(
        overpass.map(({ each }) => each),
        area,
      ),
    );
}

interface TimedItem {
  readonly each: SourceItem;
  readonly time: number;
}

const byTime = (a: TimedItem, b: TimedItem): number => a.time - b.time || (a.each.item.id < b.each.item.id ? -1 : 1);

/** Milliseconds since 1970; NaN for an item without a time. */
export const timeOf = ({ properties }: Item): number => Date.parse(itemTime(properties) ?? "");

function inOrder<T extends SourceItem>(items: readonly T[], area: PolygonGeometry | undefined): readonly T[] {
  if (items.length === 1) return items;
  return items
    .map((each) => {
      const { processing = Number.NEGATIVE_INFINITY, created = Number.NEGATIVE_INFINITY } = processingOf(each) ?? {};
      return { each, id: each.item.id, share: shareOf(each.item, area), processing, created };
    })
    .sort(
      (a, b) =>
        b.share - a.share ||
        descending(a.processing, b.processing) ||
        descending(a.created, b.created) ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ each }) => each);
}

/** Two unknown numbers, which differ by NaN, are the same. */
const descending = (a: number, b: number): number => (a === b ? 0 : b - a);

/** Share of the area that an item's footprint covers, in thousandths. */
function shareOf(item: Item, area: PolygonGeometry | undefined): number {
  if (area === undefined) return SHARE_STEPS;
  const footprint = footprintOf(item);
  if (footprint.length === 0) return SHARE_STEPS;
  return Math.round(SHARE_STEPS * selectScenes([{ id: item.id, footprint }], area, 1, { tolerance: 0 }).covered);
}
