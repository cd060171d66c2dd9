import type { SkippedScene } from "../run/compute-job.ts";
import { type CsvField, toCsvText } from "./csv.ts";
import { skippedDetail } from "./skipped-scenes.ts";

const MEMBERS = ["datetime", "itemId", "collection", "platform", "value", "validFraction", "harmonization"] as const;

/** The row of one overpass: members of an `Observation`. */
type SeriesRow = Readonly<Record<(typeof MEMBERS)[number], CsvField>> & { readonly skipped: readonly SkippedScene[] };

/** Observations as RFC 4180 text with a header line; the last column says which scenes were left out, and why. */
export function seriesCsv(observations: readonly SeriesRow[]): string {
  const rows = observations.map((row) => [...MEMBERS.map((name) => row[name]), skippedDetail(row.skipped)]);
  return toCsvText([...MEMBERS, "problem"], rows);
}
