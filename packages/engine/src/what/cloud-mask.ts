import { type CloudMask, type CollectionSchema, DEFAULT_EXCLUDED, type MaskClass } from "@swath/schema";

/** The mask of values that are computed with: the default classes, unless a request names others. */
export function maskSettings(asked: CloudMask | undefined): CloudMask & { readonly exclude: MaskClass[] } {
  return { ...asked, exclude: asked?.exclude ?? [...DEFAULT_EXCLUDED] };
}

/**
 * Classes that a mask is to drop and the source of a collection cannot detect: pixels that show them are kept. By collection,
 * those that lack none left out; nodata is known of every file.
 *
 * @param collections those that have the files, not virtual ones
 */
export function undetectableClasses(
  { exclude = [] }: CloudMask,
  collections: Iterable<CollectionSchema>,
): Readonly<Record<string, readonly MaskClass[]>> {
  return Object.fromEntries(
    [...new Set(collections)].flatMap(({ id, maskCapabilities }) => {
      const classes = exclude.filter((name) => name !== "nodata" && !maskCapabilities.includes(name));
      return classes.length === 0 ? [] : [[id, classes] as const];
    }),
  );
}
