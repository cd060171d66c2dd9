import { fileDate } from "./file-date.ts";

/** The time that a path names, RFC 3339: a moment, or the first and the last second of a stretch. */
export type NamedTime = { readonly datetime: string } | { readonly interval: readonly [start: string, end: string] };

/** Parts of a path that may be a date, with a time behind it or not. */
const CANDIDATE = /(?<!\d)(\d{4}([-_.])\d\d\2\d\d|\d\d\.\d\d\.\d{4}|\d{8}|\d{7})([T_]?\d\d:?\d\d:?\d\d(?!\d))?(?!\d)/g;
/** Whole words that may be a month, a year, or two years with a hyphen between them. */
const STRETCH = /(?<![A-Za-z0-9]|\d\.)(\d{4})(?:-(\d{4}|\d\d))?(?![A-Za-z0-9]|\.\d|-\d)/g;
/** Years that a number alone may mean. */
const YEARS = [1800, 2099] as const;

/**
 * Finds the last date in a path, else the month or the year that its last segment with one names. A number is no year where
 * it is the code of a CRS, and years are none where a segment has several of them.
 *
 * @param epsg the code of the file's own CRS.
 */
export function findTimeIn(path: string, epsg?: number): NamedTime | undefined {
  const datetime = [...path.matchAll(CANDIDATE)]
    .flatMap(([, day = "", , time = ""]) => fileDate(day + time) ?? fileDate(day) ?? [])
    .at(-1);
  if (datetime !== undefined) return { datetime };
  for (const segment of path
    .replace(/\.tiff?$/i, "")
    .split("/")
    .reverse()) {
    const found = new Map(stretchesIn(segment, epsg).map((interval) => [interval.join("/"), interval]));
    const [interval] = found.values();
    if (interval !== undefined) return found.size === 1 ? { interval } : undefined;
  }
  return undefined;
}

function stretchesIn(segment: string, epsg: number | undefined): (readonly [string, string])[] {
  return [...segment.matchAll(STRETCH)].flatMap(({ 1: first = "", 2: second, index }) => {
    const isCode = Number(first) === epsg || /epsg[^A-Za-z0-9]*$/i.test(segment.slice(0, index));
    if (isCode || !isYear(first)) return [];
    if (second?.length !== 2) {
      const last = second ?? first;
      return isYear(last) && last >= first ? [[`${first}-01-01T00:00:00Z`, `${last}-12-31T23:59:59Z`] as const] : [];
    }
    const month = Number(second);
    if (month < 1 || month > 12) return [];
    const days = new Date(Date.UTC(Number(first), month, 0)).getUTCDate();
    return [[`${first}-${second}-01T00:00:00Z`, `${first}-${second}-${days}T23:59:59Z`] as const];
  });
}

function isYear(text: string): boolean {
  return Number(text) >= YEARS[0] && Number(text) <= YEARS[1];
}
