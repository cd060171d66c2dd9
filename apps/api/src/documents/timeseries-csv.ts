import type { Observation } from "../operations/timeseries.ts";

const COLUMNS = [
  "datetime",
  "itemId",
  "collection",
  "platform",
  "value",
  "validFraction",
  "harmonization",
] as const satisfies readonly (keyof Observation)[];

/** Observations as RFC 4180 text with a header line: lines end in CRLF, `null` is empty. */
export function toCsv(observations: readonly Observation[]): string {
  const lines = observations.map((row) => COLUMNS.map((name) => fieldOf(row[name])).join(","));
  return [COLUMNS.join(","), ...lines, ""].join("\r\n");
}

function fieldOf(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
