import { classesOfValue, classTable, keptTable, type MaskSettings } from "../collection/mask.ts";
import { SchemaError } from "../errors.ts";
import type { MaskFile } from "../file/mask-file.ts";
import { defaultRegistry } from "../registry/default-registry.ts";
import { suggest } from "../suggest.ts";
import type { MaskClass } from "../vocabulary.ts";

/** The mask of a collection, or the name of the mask source of a built-in one. */
export type TableSource = MaskFile | string;

/** @throws {SchemaError} `unknown-collection` where no built-in collection has a mask source of this name. */
function maskOf(source: TableSource): MaskFile {
  if (typeof source !== "string") return source;
  const mask = defaultRegistry.mask(source);
  if (mask !== undefined) return mask;
  const known = defaultRegistry.collections.flatMap(({ maskSource }) => maskSource);
  const message = `No collection has a mask source called "${source}".`;
  throw new SchemaError("unknown-collection", source, message, suggest(source, known));
}

/**
 * Every class that a stored value stands for, what hides the ground most first.
 *
 * @throws {SchemaError} where `source` is a name of no mask source; so do the other functions here.
 */
export function maskClassesOf(source: TableSource, value: number, settings: MaskSettings = {}): MaskClass[] {
  return classesOfValue(maskOf(source), value, settings);
}

/** The one class of a stored value: the one that hides the ground most where there are several. */
export function maskClassOf(source: TableSource, value: number, settings: MaskSettings = {}): MaskClass {
  return maskClassesOf(source, value, settings)[0] ?? "unclassified";
}

/** Stored value to class number (position in `MASK_CLASSES`), one entry for each value the mask band can store. */
export function maskTable(source: TableSource, settings: MaskSettings = {}): Uint8Array {
  return classTable(maskOf(source), settings);
}

/** Stored value to 1 where the pixel is kept, 0 where any of its classes is excluded; `nodata` always goes. */
export function keepTable(source: TableSource, exclude: readonly MaskClass[], settings: MaskSettings = {}): Uint8Array {
  return keptTable(maskOf(source), exclude, settings);
}
