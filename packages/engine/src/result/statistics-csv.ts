import { toCsvText } from "./csv.ts";
import { skippedDetail } from "./skipped-scenes.ts";
import type { StatisticsRow } from "./statistics-rows.ts";

const NUMBERS = ["min", "max", "mean", "stDev", "sampleCount", "noDataCount"] as const;

/**
 * Statistics as RFC 4180 text: a row for each interval and output. After the moments comes a column for each percentile that
 * was asked for, such as `p50.0`, empty where it was not asked for of that output. Histograms are no table: they are left out.
 */
export function statisticsCsv(data: readonly StatisticsRow[]): string {
  const { columns, rows } = statisticsTable(data);
  return toCsvText(columns, rows);
}

/** The same as columns and rows. */
export function statisticsTable(data: readonly StatisticsRow[]) {
  const outputs = Object.values(data[0]?.outputs ?? {});
  const percents = [...new Set(outputs.flatMap(({ stats }) => Object.keys(stats.percentiles ?? {})))];
  percents.sort((a, b) => Number(a) - Number(b));
  const names = percents.map((percent) => `p${percent}`);
  const columns = ["from", "to", "output", "unit", ...NUMBERS, ...names, "itemIds", "problem"];
  const rows = data.flatMap(({ interval: { from, to }, outputs: own, itemIds, skipped }) =>
    Object.entries(own).map(([output, { unit, stats }]) => [
      ...[from, to, output, unit],
      ...NUMBERS.map((name) => stats[name]),
      ...percents.map((percent) => stats.percentiles?.[percent]),
      itemIds.join(" "),
      skippedDetail(skipped),
    ]),
  );
  return { columns, rows };
}
