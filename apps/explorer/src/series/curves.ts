import type { Mark } from "../charts/marks.ts";
import { dayAndTime } from "../ui/format.ts";
import { type Observation, type Series, sensorName, valueText } from "./observations.ts";

/** The series of one place among those that are compared. */
export interface Curve {
  /** Id of the place. */
  readonly id: string;
  readonly name: string;
  /** Number of the place in its list: it decides the color. */
  readonly number: number;
  readonly series: Series;
}

/** An observation and the curve that it is of. */
export interface CurvePoint {
  readonly curve: Curve;
  readonly row: Observation;
}

export const pointsOf = (curves: readonly Curve[]): CurvePoint[] =>
  curves.flatMap((curve) => curve.series.series.map((row) => ({ curve, row })));

/** Satellites of all curves, in the order of their names. */
export const sensorsOf = (points: readonly CurvePoint[]): string[] =>
  [...new Set(points.map(({ row }) => sensorName(row)))].sort();

/** Returns what tells marks apart: the sensor where there is one curve, else the curve. */
export const kindsBy = (curves: readonly Curve[]): "sensor" | "curve" => (curves.length > 1 ? "curve" : "sensor");

/**
 * Marks of a chart. Those of hidden names are left out.
 *
 * @param points those of `pointsOf`: `Mark.source` counts them
 * @param sensors all names, so that charts side by side give a sensor the same mark
 * @param hidden names of sensors, or ids of curves where there are several
 */
export function marksOf(
  curves: readonly Curve[],
  points: readonly CurvePoint[],
  { sensors, hidden }: { readonly sensors: readonly string[]; readonly hidden: ReadonlySet<string> },
): readonly Mark[] {
  const by = kindsBy(curves);
  return points.flatMap(({ curve, row }, source) => {
    const sensor = sensorName(row);
    if (hidden.has(by === "sensor" ? sensor : curve.id)) return [];
    return [
      {
        time: Date.parse(row.datetime) / 1000,
        value: row.value,
        line: curves.indexOf(curve),
        kind: by === "sensor" ? sensors.indexOf(sensor) : curve.number,
        source,
      },
    ];
  });
}

/** Title of an axis: what is computed, with its unit where it has one. */
export function axisLabel({ index, expression, unit }: Pick<Series, "index" | "expression" | "unit">): string {
  const name = index === null ? (expression ?? "") : index.toUpperCase();
  const short = name.length > 32 ? `${name.slice(0, 30)} …` : name;
  return unit === undefined || unit === "1" ? short : `${short}, ${unit.toLowerCase().replaceAll("_", " ")}`;
}

/** The share of an area that has values, in words; undefined where it is the whole. */
export function validText(fraction: number | null): string | undefined {
  if (fraction === null) return "no scene could be read";
  if (fraction >= 0.9995) return undefined;
  return `${(fraction * 100).toLocaleString("en", { maximumFractionDigits: fraction < 0.1 ? 1 : 0 })} % of the area is free of cloud`;
}

/** Describes a mark. */
export function pointText({ curve, row }: CurvePoint, isOfSeveral: boolean): string {
  const value = row.value === null ? "masked, no value" : valueText(row.value);
  const parts = [dayAndTime(row.datetime), sensorName(row), value, validText(row.validFraction)];
  return [...(isOfSeveral ? [curve.name] : []), ...parts].filter((part) => part !== undefined).join(", ");
}

/** The mark that a key goes to from another one; undefined for keys that go nowhere. */
export function markAfterKey(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === "ArrowRight") return at === undefined ? 0 : Math.min(count - 1, at + 1);
  if (key === "ArrowLeft") return at === undefined ? count - 1 : Math.max(0, at - 1);
  return undefined;
}
