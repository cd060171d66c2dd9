/** Files and folders that are looked at in one archive. */
export const MAX_ENTRIES = 1_000_000;
/** Folders within folders. */
export const MAX_DEPTH = 32;
/** Bytes of one item. */
export const MAX_ITEM_BYTES = 1_048_576;
/** Bytes of a JSON document that is read whole: a catalog, a collection, a FeatureCollection. */
export const MAX_DOCUMENT_BYTES = 64 * 1_048_576;
/** Bytes of a collection file. */
export const MAX_COLLECTION_BYTES = 4 * 1_048_576;
/** Files that are refused with their names; the rest is counted. */
export const NAMED_REFUSALS = 20;
/** File headers that are read at once. */
export const HEADERS_AT_ONCE = 16;
/** Samples of the coarsest level of a file that are read whole to find the range of its values. */
export const MAX_STRETCH_SAMPLES = 4 * 1_048_576;
/** Pixels of files that the tiles of a collection that is made of files read at most at its lowest zoom. */
export const MAX_TILE_PIXELS = 4096 * 4096;
/** Usual values of a band of a collection that is made of files. */
export const MAX_USUAL = 64;
/** Files of a collection whose values are looked at. */
export const MAX_STRETCH_FILES = 8;
/** Collections that are made of a folder without any description. */
export const MAX_MADE_COLLECTIONS = 64;
