import { faultAt, type InputLocation, shown } from "../input-location.ts";

/** Items per page when the request names no number. */
export const DEFAULT_LIMIT = 10;
/** The most items a page holds. */
export const MAX_LIMIT = 1000;

/**
 * Reads a page size: an integer of at least 1. More than 1,000 is taken as 1,000, since a larger value "SHALL NOT" be
 * an error (OGC 17-069r4, /req/core/fc-limit-response-1 C).
 *
 * @throws {QueryError} for zero, negative numbers and what is not an integer.
 */
export function parseLimit(input: unknown, location: InputLocation = { in: "query", pointer: "limit" }): number {
  const number = location.in === "query" ? numberOfText(input) : input;
  if (typeof number !== "number" || !Number.isInteger(number) || number < 1) {
    throw faultAt(location, `Expected an integer from 1 to ${MAX_LIMIT}, got ${shown(input)}.`);
  }
  return Math.min(number, MAX_LIMIT);
}

function numberOfText(input: unknown): number {
  if (typeof input !== "string" || !/^\+?\d+$/.test(input)) return Number.NaN;
  return Math.min(Number(input), Number.MAX_SAFE_INTEGER);
}
