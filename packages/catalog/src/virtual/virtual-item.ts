import type { CollectionSchema } from "@swath/schema";
import type { Item } from "../item/item.ts";

/** An item of a member as one of the virtual collection: its id, files and other properties stay. */
export function toVirtualItem(item: Item, { id, defaultHarmonize }: CollectionSchema): Item {
  return {
    ...item,
    collection: id,
    properties: { ...item.properties, "svc:source_collection": item.collection, "svc:harmonization": defaultHarmonize },
  };
}
