import type { Refusal } from "../refusal.ts";
import type { StatisticsRequest } from "../request.ts";
import type { SkippedScene } from "../run/compute/compute-job.ts";
import { type CsvField, csvLine } from "./csv.ts";
import { type SeriesRow, type SeriesRows, seriesTable } from "./series-csv.ts";
import { skippedDetail } from "./skipped-scenes.ts";
import { statisticsTable } from "./statistics-csv.ts";
import { type IntervalNumbers, statisticsRows } from "./statistics-rows.ts";

/** The result of one of several places. */
export interface FeatureResult<R> {
  readonly id: string | number;
  /** Absent: it was refused. */
  readonly result?: R;
  /** The reason why this place alone has no result. */
  readonly refusal?: Refusal;
}

type Results<R> = readonly FeatureResult<R>[];

/** A series as far as its table goes, and the scenes that were left out of each row. */
interface SkippingRows extends SeriesRows {
  readonly observations: readonly (SeriesRow & { readonly skipped: readonly SkippedScene[] })[];
}

/** Facts that hold for all features of one request. */
interface Facts {
  readonly attribution: readonly string[];
  readonly undetectable: Readonly<Record<string, readonly string[]>>;
}

/** The credit lines of all features, each once, and the classes that the masks of any of them cannot detect. */
export function factsOfAll<U extends Facts["undetectable"]>(
  features: Results<Facts & { readonly undetectable: U }>,
): { readonly attribution: string[]; readonly undetectable: U } {
  const results = features.flatMap(({ result }) => result ?? []);
  return {
    attribution: [...new Set(results.flatMap(({ attribution }) => attribution))],
    undetectable: Object.assign({}, ...results.map(({ undetectable }) => undetectable)) as U,
  };
}

/** Statistics of features as RFC 4180 text, feature by feature: a table of which the first column is the feature's id. */
export function* statisticsOfFeaturesCsv(
  features: Results<IntervalNumbers>,
  into: StatisticsRequest["into"],
): Generator<string, undefined> {
  const known = features.find(({ result }) => result !== undefined)?.result;
  const { columns } = statisticsTable(known === undefined ? [] : statisticsRows(known, into));
  yield csvLine(["feature", ...columns]);
  for (const { id, result, refusal } of features) {
    const rows = result && statisticsTable(statisticsRows(result, into)).rows;
    yield rows?.map((row) => csvLine([id, ...row])).join("") ?? refusedLine(id, columns.length + 1, refusal?.detail);
  }
}

/**
 * Series of features as RFC 4180 text, feature by feature: a table of which the first column is the feature's id, and the last says
 * which scenes were left out, or why the feature has no series.
 */
export function* seriesOfFeaturesCsv(features: Results<SkippingRows>): Generator<string, undefined> {
  const known = features.find(({ result }) => result !== undefined)?.result;
  const spec = known?.spec ?? { programs: {}, reducers: [] };
  const tableOf = (observations: SkippingRows["observations"]) => {
    const { columns, rows } = seriesTable({ observations, spec, curve: {} });
    const withProblem = rows.map((row, i) => [...row, skippedDetail(observations[i]?.skipped ?? [])]);
    return { columns: [...columns, "problem"], rows: withProblem };
  };
  yield csvLine(["feature", ...tableOf([]).columns]);
  for (const { id, result, refusal } of features) {
    const rows = result && tableOf(result.observations).rows;
    yield rows?.map((row) => csvLine([id, ...row])).join("") ??
      refusedLine(id, tableOf([]).columns.length + 1, refusal?.detail);
  }
}

/** The line of a feature without numbers: its last column says why. */
function refusedLine(id: CsvField, columns: number, detail: string | undefined): string {
  return csvLine([id, ...Array<CsvField>(columns - 2).fill(null), detail]);
}
