import { fileDate } from "@swath/schema";

/** Parts of a path that may be a date, with a time behind it or not. */
const CANDIDATE = /(?<!\d)(\d{4}-\d\d-\d\d|\d{8}|\d{7})([T_]?\d\d:?\d\d:?\d\d(?!\d))?(?!\d)/g;

/** The last date in a path, RFC 3339; `undefined` where there is none. */
export function findDateIn(path: string): string | undefined {
  const found = [...path.matchAll(CANDIDATE)].flatMap(
    ([, day = "", time = ""]) => fileDate(day + time) ?? fileDate(day) ?? [],
  );
  return found.at(-1);
}
