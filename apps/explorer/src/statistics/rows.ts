import { toCsvText } from "@swath/engine/results";
import type { Schemas } from "../api/types.ts";
import type { Bar } from "../charts/bars.ts";

export type IntervalRow = Readonly<Pick<Schemas["IntervalStatistics"], "interval" | "outputs" | "itemIds" | "problem">>;
export type Moments = Readonly<Schemas["OutputStatistics"]["stats"]>;

/** The part of the answer of `/v1/statistics` that is read here. */
export type Statistics = Readonly<Pick<Schemas["Statistics"], "undetectable">> & {
  readonly data: readonly IntervalRow[];
};

/** The numbers of one interval, of the one output that is asked for. */
export interface NumbersRow {
  readonly from: string;
  readonly to: string;
  /** Share of the pixels that have a value, 0 to 1. */
  readonly valid: number;
  readonly stats: Moments;
  readonly unit?: string;
  readonly bins: readonly Bar[];
  readonly itemIds: readonly string[];
  readonly problem?: IntervalRow["problem"];
}

export function rowsOf({ data }: Statistics): readonly NumbersRow[] {
  return data.flatMap(({ interval, outputs, itemIds, problem }) =>
    Object.values(outputs)
      .slice(0, 1)
      .map(({ stats, unit, histogram }) => ({
        ...interval,
        valid: stats.sampleCount === 0 ? 0 : 1 - stats.noDataCount / stats.sampleCount,
        stats,
        ...(unit === undefined ? {} : { unit }),
        bins: histogram?.bins ?? [],
        itemIds,
        ...(problem === undefined ? {} : { problem }),
      })),
  );
}

/** The position of the row to show first: the last one with values; the last one where none has any. */
export const rowToShow = (rows: readonly NumbersRow[]): number =>
  Math.max(
    rows.findLastIndex(({ stats }) => stats.mean !== null),
    rows.length === 0 ? -1 : 0,
  );

/** `2024-07-01`, or the first and the last day of an interval; the moment of its end is not in it. */
export function intervalText({ from, to }: Pick<NumbersRow, "from" | "to">): string {
  const first = from.slice(0, 10);
  const last = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  return first === last ? first : `${first} to ${last}`;
}

/** Limits of values over all rows, so that their histograms can be compared. */
export function limitsOf(rows: readonly NumbersRow[]): readonly [number, number] {
  const least = rows.flatMap(({ stats }) => stats.min ?? []);
  const largest = rows.flatMap(({ stats }) => stats.max ?? []);
  return least.length === 0 ? [0, 1] : [Math.min(...least), Math.max(...largest)];
}

const MOMENTS = ["min", "max", "mean", "stDev", "sampleCount", "noDataCount"] as const;

/**
 * The table that the service gives of the same statistics as `text/csv`: it is made here, since asking again would cost units
 * again.
 */
export function statisticsCsv({ data }: Statistics): string {
  return toCsvText(
    columnsOf(data),
    data.flatMap((row) => fieldsOf(row, data)),
  );
}

/** The same of several fields: its first column names the field. */
export function fieldStatisticsCsv(all: readonly { readonly name: string; readonly statistics: Statistics }[]): string {
  const first = all[0]?.statistics.data ?? [];
  const rows = all.flatMap(({ name, statistics: { data } }) =>
    data.flatMap((row) => fieldsOf(row, first).map((fields) => [name, ...fields])),
  );
  return toCsvText(["feature", ...columnsOf(first)], rows);
}

function percentsOf(data: readonly IntervalRow[]): readonly string[] {
  const outputs = Object.values(data[0]?.outputs ?? {});
  const percents = [...new Set(outputs.flatMap(({ stats }) => Object.keys(stats.percentiles ?? {})))];
  return percents.sort((a, b) => Number(a) - Number(b));
}

const columnsOf = (data: readonly IntervalRow[]): readonly string[] => [
  ...["from", "to", "output", "unit"],
  ...MOMENTS,
  ...percentsOf(data).map((percent) => `p${percent}`),
  ...["itemIds", "problem"],
];

type CsvFields = readonly (string | number | null | undefined)[];

const fieldsOf = (row: IntervalRow, data: readonly IntervalRow[]): CsvFields[] =>
  Object.entries(row.outputs).map(([output, { unit, stats }]) => [
    ...[row.interval.from, row.interval.to, output, unit],
    ...MOMENTS.map((name) => stats[name]),
    ...percentsOf(data).map((percent) => stats.percentiles?.[percent]),
    row.itemIds.join(" "),
    row.problem?.detail,
  ]);
