import { bboxShape, footprintShape, type Geometry, type Shape, shapesIntersect, toShape } from "@swath/geometry";
import { type ItemQuery, matchesFilter, matchesInterval } from "@swath/query";
import type { Item } from "../item/item.ts";

/**
 * Whether items fulfil every condition of a search, its collections left out: exactly, whatever an upstream makes of
 * footprints that cross 180 degrees, of times, or of properties that an item lacks.
 */
export function itemMatcher({ ids, bbox, intersects, datetime, filter }: ItemQuery): (item: Item) => boolean {
  const wanted = ids === undefined ? undefined : new Set(ids);
  const area: Shape | undefined = bbox !== undefined ? bboxShape(bbox) : intersects && toShape(intersects);
  return (item) => {
    if (wanted !== undefined && !wanted.has(item.id)) return false;
    if (datetime !== undefined && matchesInterval(datetime, item.properties) !== true) return false;
    if (filter !== undefined && !matchesFilter(filter, item)) return false;
    return area === undefined || (item.geometry !== null && meets(item.geometry, area));
  };
}

function meets(footprint: Geometry, area: Shape): boolean {
  return shapesIntersect(footprintShape(footprint), area);
}
