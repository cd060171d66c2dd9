import type { CloudMask, CollectionSchema, MaskClass } from "@swath/schema";
import { DEFAULT_EXCLUDED } from "./pseudo-bands.ts";

/** The mask of values that are computed with: the default classes, unless a request names others. */
export function maskSettings(asked: CloudMask | undefined): CloudMask & { readonly exclude: MaskClass[] } {
  return { ...asked, exclude: asked?.exclude ?? [...DEFAULT_EXCLUDED] };
}

/**
 * Classes that a mask is to drop and the collection's source cannot detect, or that of a member of a virtual one: pixels
 * that show them are kept. Nodata is known of every file.
 */
export function undetectableClasses({ exclude }: CloudMask, collection: CollectionSchema): MaskClass[] {
  const sources = collection.virtual?.members ?? [collection];
  return (exclude ?? []).filter(
    (name) => name !== "nodata" && sources.some(({ maskCapabilities }) => !maskCapabilities.includes(name)),
  );
}
