import type { Observation } from "../chain/series.ts";
import { toCsvText } from "./csv.ts";
import { skippedDetail } from "./skipped-scenes.ts";

const MEMBERS = [
  "datetime",
  "itemId",
  "collection",
  "platform",
  "value",
  "validFraction",
  "harmonization",
] as const satisfies readonly (keyof Observation)[];

/** Observations as RFC 4180 text with a header line; the last column says which scenes were left out, and why. */
export function seriesCsv(observations: readonly Observation[]): string {
  const rows = observations.map((row) => [...MEMBERS.map((name) => row[name]), skippedDetail(row.skipped)]);
  return toCsvText([...MEMBERS, "problem"], rows);
}
