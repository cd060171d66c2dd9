import type { JSX } from "preact";
import { LineSample } from "../charts/line-sample.tsx";
import { type Curve, kindsBy, pointsOf } from "./curves.ts";

export interface SeriesLegendProps {
  readonly curves: readonly Curve[];
  readonly sensors: readonly string[];
  /** Whether charts stand side by side, and with them marks by sensor. */
  readonly isApart: boolean;
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

/** The legend of marks: by sensor, or by curve where several are in one chart. Its buttons hide and show them. */
export function SeriesLegend({ curves, sensors, isApart, hidden, onToggle }: SeriesLegendProps): JSX.Element {
  const entries =
    isApart || kindsBy(curves) === "sensor"
      ? sensors.map((name, index) => ({ key: name, name, index }))
      : curves.map(({ id, name, number }) => ({ key: id, name, index: number }));
  const hasMasked = pointsOf(curves).some(({ row }) => row.value === null);
  return (
    <ul class="chart-legend" aria-label="Legend of the curve">
      {entries.map(({ key, name, index }) => (
        <li key={key}>
          <button type="button" class="legend-toggle" aria-pressed={!hidden.has(key)} onClick={() => onToggle(key)}>
            <LineSample index={index} /> {name}
          </button>
        </li>
      ))}
      {hasMasked && (
        <li class="legend-note-masked">
          <svg class="sample hollow" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <circle cx="6" cy="6" r="4.2" />
          </svg>
          masked, no value
        </li>
      )}
    </ul>
  );
}

export function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}
