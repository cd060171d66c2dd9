import type { ArrayOperator } from "../filter.ts";
import { differenceOf, type Value } from "./compare.ts";
import { every, some, type Truth } from "./truth.ts";

/** Whether two lists are in a relation as sets (OGC 21-065r2, 7.10): order and repetition play no part. */
export function listsRelate(operator: ArrayOperator, left: Value, right: Value): Truth {
  if (!Array.isArray(left) || !Array.isArray(right)) return undefined;
  switch (operator) {
    case "contains":
      return holds(left, right);
    case "containedBy":
      return holds(right, left);
    case "equals":
      return every([holds(left, right), holds(right, left)], (truth) => truth);
    case "overlaps":
      return some(left, (entry) => has(right, entry));
  }
}

function holds(list: readonly unknown[], entries: readonly unknown[]): Truth {
  return every(entries, (entry) => has(list, entry));
}

function has(list: readonly unknown[], entry: unknown): Truth {
  return some(list, (other) => isSame(entry as Value, other as Value));
}

/** Whether two entries are the same; entries of different types are not, a missing one is unknown. */
function isSame(a: Value, b: Value): Truth {
  if (a === undefined || b === undefined || a === null || b === null) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && every(a, (entry, i) => isSame(entry, b[i] as Value));
  }
  if (typeof a !== typeof b && typeof a !== "object" && typeof b !== "object") return false;
  const difference = differenceOf(a, b);
  return difference !== undefined && difference === 0;
}
