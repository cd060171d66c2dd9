import type { FeatureResult } from "../chain/features.ts";
import type { Observation, Timeseries } from "../chain/series.ts";
import type { Statistics } from "../chain/statistics.ts";
import type { StatisticsRequest } from "../request.ts";
import { type CsvField, csvLine } from "./csv.ts";
import { seriesTable } from "./series-csv.ts";
import { skippedDetail } from "./skipped-scenes.ts";
import { statisticsTable } from "./statistics-csv.ts";
import { statisticsRows } from "./statistics-rows.ts";

type Results<R> = readonly FeatureResult<R>[];

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
  features: Results<Statistics>,
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
export function* seriesOfFeaturesCsv(features: Results<Timeseries>): Generator<string, undefined> {
  const known = features.find(({ result }) => result !== undefined)?.result;
  const spec = known?.spec ?? { programs: {}, reducers: [] };
  const tableOf = (observations: readonly Observation[]) => {
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
