/** Days of file names: 2024-04-22 (also with points or lines between), 22.04.2024, 20240422, 2024113 (day of the year). */
const DAY =
  /^(?:(?<y1>\d{4})([-_.])(?<m1>\d\d)\2(?<d1>\d\d)|(?<d2>\d\d)\.(?<m2>\d\d)\.(?<y2>\d{4})|(?<y3>\d{4})(?<m3>\d\d)(?<d3>\d\d)|(?<y4>\d{4})(?<n4>\d{3}))$/;
const TIME = /^[T_ ]?(\d\d):?(\d\d):?(\d\d)(\.\d{1,9})?Z?$/;
/** Characters of a day as it may be written, the longest first. */
const DAY_LENGTHS = [10, 8, 7] as const;
const LONGEST_TIME = 20;
/** Most characters of a date with its time. */
export const LONGEST_DATE = DAY_LENGTHS[0] + LONGEST_TIME;

/**
 * The instant that a date of a file's name means, in UTC.
 *
 * @param text a whole date: `20240422`, `2024-04-22`, `2024_04_22`, `22.04.2024`, `2024113` (the day of the year), and a time behind
 *   it, or none.
 * @returns RFC 3339; the first second of the day without a time; `undefined` for what is no date from 1900 to 2199, or with
 *   marks between its parts from 1500 to 2199.
 */
export function fileDate(text: string): string | undefined {
  for (const length of DAY_LENGTHS) {
    const day = dayOf(text.slice(0, length));
    if (day === undefined) continue;
    if (text.length === length) return `${day}T00:00:00Z`;
    const [time, hours = "", minutes = "", seconds = "", fraction = ""] = TIME.exec(text.slice(length)) ?? [];
    if (time !== undefined && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60) {
      return `${day}T${hours}:${minutes}:${seconds}${fraction}Z`;
    }
  }
  return undefined;
}

function dayOf(text: string): string | undefined {
  const parts = DAY.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { y1, m1, d1, y2 = y1, m2 = m1, d2 = d1, y3 = y2, m3 = m2, d3 = d2, y4 = y3, n4 } = parts;
  const [year, month, day] = [Number(y4), Number(m3 ?? 1), Number(n4 ?? d3)];
  const written = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  const isThere = n4 === undefined ? written === `${y4}-${m3}-${d3}` : written.startsWith(`${y4}`);
  const isMarked = text.length === DAY_LENGTHS[0];
  return isThere && year >= (isMarked ? 1500 : 1900) && year < 2200 ? written : undefined;
}
