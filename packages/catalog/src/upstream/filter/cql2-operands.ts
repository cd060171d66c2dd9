import type { Operand } from "@swath/query";
import { LISTS, type QueriedAs, TIMES } from "../../names/queried-as.ts";

/** A constant that is text, a number or a truth value. */
export function literalOf(operand: Operand): string | number | boolean | undefined {
  return "literal" in operand ? operand.literal : undefined;
}

/**
 * A value for which both sides compute the same result: no list, no date, no function, and no time with a fraction of a
 * second.
 */
export function sharedValue(operand: Operand, upstream: QueriedAs): Operand | undefined {
  if ("literal" in operand) return operand;
  if ("property" in operand) {
    const { property } = operand;
    if (property === "id") return operand;
    return upstream(property)?.kind === "same" && !LISTS.has(property) ? operand : undefined;
  }
  // a time that an item has without a fraction is compared with whole seconds here
  if ("instant" in operand) return operand.instant.nanoseconds % 1_000_000_000n === 0n ? operand : undefined;
  if ("casei" in operand) {
    const casei = textOf(operand.casei, upstream);
    return casei && { casei };
  }
  if ("accenti" in operand) {
    const accenti = textOf(operand.accenti, upstream);
    return accenti && { accenti };
  }
  if (!("arithmetic" in operand)) return undefined;
  // divisions are rounded, and fail by zero, in a way of each server's own
  if (!["+", "-", "*"].includes(operand.arithmetic)) return undefined;
  const [left, right] = [sharedValue(operand.left, upstream), sharedValue(operand.right, upstream)];
  return left && right && { ...operand, left, right };
}

/** Text whose case and accents every server folds in the same way: ASCII constants. */
function textOf(operand: Operand, upstream: QueriedAs): Operand | undefined {
  const isPlain = "literal" in operand ? /^[\x20-\x7e]*$/.test(String(operand.literal)) : true;
  return isPlain ? sharedValue(operand, upstream) : undefined;
}

/** Whether an operand of a temporal function means the same to the upstream. */
export function isSharedTime(operand: Operand, upstream: QueriedAs): boolean {
  if ("interval" in operand) return operand.interval.every((bound) => bound === ".." || isSharedTime(bound, upstream));
  if ("property" in operand) return TIMES.has(operand.property) && upstream(operand.property)?.kind === "same";
  return "instant" in operand && sharedValue(operand, upstream) !== undefined;
}

/** Whether an operand of an array function means the same to the upstream. */
export function isSharedList(operand: Operand, upstream: QueriedAs): boolean {
  if ("property" in operand) return LISTS.has(operand.property) && upstream(operand.property)?.kind === "same";
  return "array" in operand && operand.array.every((entry) => literalOf(entry) !== undefined);
}
