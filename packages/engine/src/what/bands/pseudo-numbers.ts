import { keepTable, type MaskClass, maskClassOf, maskCode, maskTable } from "@swath/schema";
import type { MaskFile } from "@swath/schema/files";
import type { ClassNumbers } from "../../run/scene/class-numbers.ts";

/** Numbers that are derived from the classes of a mask. */
export interface PseudoNumbersRequest {
  /**
   * - `mask`: 1 where any class of the sample is in `exclude` or `nodata`, else 0.
   * - `mask_class`: position of the class in `MASK_CLASSES`; of several, the one that hides the ground most.
   * - `dataMask`: 0 where the class is `nodata`, else 1.
   */
  readonly gives: "mask" | "mask_class" | "dataMask";
  readonly of: MaskFile;
  /** Classes that `mask` marks besides `nodata`. */
  readonly exclude: readonly MaskClass[];
}

/** 1 where a band holds data and 0 elsewhere, for a collection without a mask: nothing else is known about its samples. */
export const DATA_ALONE: ClassNumbers = { numbers: [1], beyond: 1, missing: 0 };

/** The numbers as plain data for the reader of scenes. */
export function pseudoNumbers({ gives, of, exclude }: PseudoNumbersRequest): ClassNumbers {
  const missing = { mask: 1, mask_class: maskCode("nodata"), dataMask: 0 }[gives];
  // the class of samples that a class table does not list
  const other = maskClassOf(of, 65_535);
  if (gives === "mask_class") return compact([...maskTable(of)], of, maskCode(other), missing);
  const excluded: readonly MaskClass[] = ["nodata", ...(gives === "mask" ? exclude : [])];
  const number = (kept: number): number => (gives === "mask" ? 1 - kept : kept);
  const kept = [...keepTable(of, excluded)].map(number);
  return compact(kept, of, number(excluded.includes(other) ? 0 : 1), missing);
}

/** The shortest table: bits without a meaning repeat it, and classes that are not listed follow it. */
function compact(table: readonly number[], { kind }: MaskFile, other: number, missing: number): ClassNumbers {
  if (kind === "bit-flags") {
    let period = 1;
    while (period < table.length && table.some((number, sample) => number !== table[sample % period])) period *= 2;
    return { numbers: table.slice(0, period), beyond: "repeat", missing };
  }
  const last = table.findLastIndex((number) => number !== other);
  return { numbers: table.slice(0, Math.max(1, last + 1)), beyond: other, missing };
}
