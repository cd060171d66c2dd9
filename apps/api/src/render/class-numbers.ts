import { keepTable, type MaskClass, type MaskFile, maskClassOf, maskCode, maskTable } from "@swath/schema";

/** Numbers that are derived from the stored samples of a collection's mask band. */
export interface ClassNumbers {
  /**
   * - `mask`: 1 where any class of the sample is in `exclude` or `nodata`, else 0.
   * - `mask_class`: position of the class in `MASK_CLASSES`; of several, the one that hides the ground most.
   * - `dataMask`: 0 where the class is `nodata`, else 1.
   */
  readonly gives: "mask" | "mask_class" | "dataMask";
  /** What the stored samples mean; absent: nothing is known of them but whether they hold data (`dataMask` alone). */
  readonly of?: MaskFile | undefined;
  /** Classes that `mask` marks besides `nodata`. */
  readonly exclude: readonly MaskClass[];
}

/** The number where no scene holds data: that of the class `nodata`. */
export function numberWithoutData({ gives }: ClassNumbers): number {
  return { mask: 1, mask_class: maskCode("nodata"), dataMask: 0 }[gives];
}

const SAMPLES = 65_536;
/** Tables are small, and the few masks there are come again with every block. */
const MAX_TABLES = 64;
const tables = new Map<string, Uint8Array>();

/** Stored sample, 0 to 65,535, to its number. */
export function classNumbersTable(numbers: ClassNumbers): Uint8Array {
  const key = JSON.stringify(numbers);
  let table = tables.get(key);
  if (table === undefined) {
    if (tables.size >= MAX_TABLES) tables.clear();
    table = makeTable(numbers);
    tables.set(key, table);
  }
  return table;
}

function makeTable({ gives, of, exclude }: ClassNumbers): Uint8Array {
  if (of === undefined) return new Uint8Array(SAMPLES).fill(1);
  // what a class table says of samples that it does not list
  const other = maskClassOf(of, SAMPLES - 1);
  if (gives === "mask_class") return widened(maskTable(of), of, maskCode(other));
  const excluded: readonly MaskClass[] = ["nodata", ...(gives === "mask" ? exclude : [])];
  const kept = widened(keepTable(of, excluded), of, excluded.includes(other) ? 0 : 1);
  return gives === "mask" ? kept.map((keeps) => 1 - keeps) : kept;
}

/** A table of 256 samples for all: a class table has no class beyond its end, bit flags none in their high bits. */
function widened(table: Uint8Array, { kind }: MaskFile, beyond: number): Uint8Array {
  if (table.length === SAMPLES) return table;
  return Uint8Array.from({ length: SAMPLES }, (_, sample) =>
    kind === "bit-flags" ? table[sample % table.length]! : (table[sample] ?? beyond),
  );
}
