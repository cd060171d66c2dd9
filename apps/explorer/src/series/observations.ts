import { toCsvText } from "@swath/engine/results";
import type { Schemas } from "../api/types.ts";
import { platformName } from "../ui/format.ts";

const COLUMNS = ["datetime", "itemId", "collection", "platform", "value", "validFraction", "harmonization"] as const;

/** One overpass of `/v1/timeseries`, which has one value, since one is asked for. */
export type Observation = Readonly<
  Required<Pick<Schemas["Observation"], (typeof COLUMNS)[number]>> & Pick<Schemas["Observation"], "problem">
>;

/** The part of the answer of `/v1/timeseries` that is read here; observations are the oldest first. */
export type Series = Readonly<Pick<Schemas["Timeseries"], "index" | "expression" | "unit" | "undetectable">> & {
  readonly series: readonly Observation[];
};

const fieldsOf = (row: Observation): (string | number | null | undefined)[] => COLUMNS.map((name) => row[name]);

/** The table that the service gives of the same series as `text/csv`: it is made here, since asking again would cost units again. */
export function seriesCsv({ series }: Series): string {
  return toCsvText([...COLUMNS], series.map(fieldsOf));
}

/** The same of several fields: its first column names the field, its last says which scenes were left out. */
export function fieldsCsv(all: readonly { readonly name: string; readonly series: Series }[]): string {
  const rows = all.flatMap(({ name, series }) =>
    series.series.map((row) => [name, ...fieldsOf(row), row.problem?.detail]),
  );
  return toCsvText(["feature", ...COLUMNS, "problem"], rows);
}

/** The satellite that made an observation; its collection where the catalog does not say. */
export const sensorName = ({ platform, collection }: Pick<Observation, "platform" | "collection">): string =>
  platform === null || platform === "" ? collection : platformName(platform);

export interface SeriesSummary {
  readonly observations: number;
  readonly masked: number;
  /** The least and the largest value, with their rows; absent where all are masked. */
  readonly least?: Observation;
  readonly largest?: Observation;
}

export function summaryOf(series: readonly Observation[]): SeriesSummary {
  const valid = series.filter(({ value }) => value !== null).sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const [least, largest] = [valid[0], valid.at(-1)];
  return {
    observations: series.length,
    masked: series.length - valid.length,
    ...(least === undefined || largest === undefined ? {} : { least, largest }),
  };
}

/** A value with as many digits as are read off a chart: four significant ones, trailing zeros dropped. */
export function valueText(value: number | null): string {
  if (value === null) return "no value";
  return String(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4)));
}
