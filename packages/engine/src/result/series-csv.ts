import { type CurveDescription, type CurveSeasons, trendAt } from "@swath/curve";
import { type CsvField, toCsvText } from "./csv.ts";

const SCENE = ["datetime", "itemId", "collection", "platform"] as const;
const NUMBERS = ["validFraction", "harmonization"] as const;

/** The row of one overpass: members of an `Observation`. */
export type SeriesRow = Readonly<Record<(typeof SCENE)[number] | "value" | (typeof NUMBERS)[number], CsvField>> & {
  readonly values?: Readonly<Record<string, CsvField>>;
  readonly reducers?: Readonly<Record<string, CsvField>>;
};

/**
 * A series as RFC 4180 text with a header line: seven columns. Several measures have a column each in place of `value`. Behind them
 * stand the numbers of further reducers, `smoothed`, `trend` (the line at that time) and `season` (its number, from 1 on, between
 * start and end), each where it was asked for.
 */
export function seriesCsv(series: SeriesRows): string {
  const { columns, rows } = seriesTable(series);
  return toCsvText(columns, rows);
}

/** A `Timeseries`, as far as its table goes. */
export interface SeriesRows {
  readonly observations: readonly SeriesRow[];
  readonly spec: {
    readonly programs: { readonly measures?: readonly { readonly name: string }[] };
    readonly reducers: readonly { readonly name: string }[];
  };
  readonly curve: CurveDescription;
}

/** The same as columns and rows. */
export function seriesTable({ observations, spec, curve: { smooth, trend, season } }: SeriesRows) {
  type Column = readonly [name: string, of: (row: SeriesRow, i: number) => CsvField];
  const own = (name: (typeof SCENE)[number] | "value" | (typeof NUMBERS)[number]): Column => [name, (row) => row[name]];
  const table: readonly Column[] = [
    ...SCENE.map(own),
    ...(spec.programs.measures?.map(({ name }): Column => [name, (row) => row.values?.[name]]) ?? [own("value")]),
    ...NUMBERS.map(own),
    ...spec.reducers.map(({ name }): Column => [name, (row) => row.reducers?.[name]]),
    ...(smooth === undefined ? [] : [["smoothed", (_, i) => smooth.values[i]] satisfies Column]),
    ...(trend === undefined ? [] : [["trend", (row) => trendAt(trend, timeOf(row))] satisfies Column]),
    ...(season === undefined ? [] : [["season", (row) => seasonAt(season, timeOf(row))] satisfies Column]),
  ];
  return {
    columns: table.map(([name]) => name),
    rows: observations.map((row, i) => table.map(([, of]) => of(row, i))),
  };
}

const timeOf = ({ datetime }: SeriesRow): number => Date.parse(String(datetime));

/** The number of the season that a time is in, from 1 on; `null` between seasons. */
function seasonAt({ seasons }: CurveSeasons, time: number): number | null {
  const found = seasons.findIndex(({ start, end, reach }) => time >= (start ?? reach[0]) && time <= (end ?? reach[1]));
  return found === -1 ? null : found + 1;
}
