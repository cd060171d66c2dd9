/** Requests of each round of `counter.ts`, and milliseconds of its own clock that a round takes. */
export const COUNTS = 5;
export const ROUND_MS = 5;
/** Requests in a second of that clock. */
export const COUNTS_A_SECOND = (COUNTS * 1000) / ROUND_MS;
