import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { dayAndTime } from "../ui/format.ts";
import { type CurvePoint, markAfterKey, pointsOf, pointText, validText } from "./curves.ts";
import { sensorName, valueText } from "./observations.ts";
import { type DrawnSeries, type SeriesChartProps, useSeriesChart } from "./use-series-chart.ts";

export interface SeriesViewProps extends SeriesChartProps {
  readonly title: string;
}

/** Shows value, sensor, date and scene of the mark under the pointer. */
function Tip({ point, isOfSeveral }: { readonly point: CurvePoint; readonly isOfSeveral: boolean }): JSX.Element {
  const { row, curve } = point;
  const valid = row.value === null && row.validFraction === 0 ? undefined : validText(row.validFraction);
  return (
    <>
      {isOfSeveral && <strong>{curve.name}</strong>}
      <strong class="tip-value">{row.value === null ? "Masked" : valueText(row.value)}</strong>
      <span>
        {sensorName(row)}, {dayAndTime(row.datetime)}
      </span>
      {valid !== undefined && <span class="quiet">{valid}</span>}
      <span class="scene-id">{row.itemId}</span>
    </>
  );
}

/** Arrow keys go from mark to mark, Enter and Space show the scene, Escape leaves the mark. */
function onKey(event: KeyboardEvent, { chart, pointAt }: DrawnSeries, onShow: SeriesChartProps["onShow"]): void {
  const drawn = chart.current;
  if (drawn === null) return;
  const next = markAfterKey(event.key, drawn.pointed, drawn.marks.length);
  const row = pointAt(drawn.pointed)?.row;
  if (next !== undefined) drawn.point(next);
  else if ((event.key === "Enter" || event.key === " ") && row !== undefined) onShow?.(row);
  else if (event.key === "Escape" && drawn.pointed !== undefined) drawn.point(undefined);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** A chart of one curve with its sensors, or of several curves: by pointer, touch and keyboard. */
export function SeriesView(props: SeriesViewProps): JSX.Element {
  const { curves, title, onShow } = props;
  const points = useMemo(() => pointsOf(curves), [curves]);
  const drawn = useSeriesChart(props, points);
  const { element, chart, pointed, isZoomed } = drawn;
  const isOfSeveral = curves.length > 1;
  const at = pointed.value;
  const point = drawn.pointAt(at?.index);
  const isRight = at !== undefined && at.x > (element.current?.clientWidth ?? 0) / 2;
  return (
    <div class="chart-box">
      <div
        ref={element}
        class="chart"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys go from mark to mark
        tabIndex={0}
        aria-label={`${title}. Arrow keys go from one observation to the next${onShow === undefined ? "" : ", Enter shows its scene"}.`}
        onKeyDown={(event) => onKey(event, drawn, onShow)}
      />
      {isZoomed.value && (
        <button type="button" class="small reset-zoom" onClick={() => chart.current?.resetZoom()}>
          Show all dates
        </button>
      )}
      {point !== undefined && at !== undefined && (
        <div class={isRight ? "tip before" : "tip"} style={{ left: `${at.x}px`, top: `${at.y}px` }} aria-hidden="true">
          <Tip point={point} isOfSeveral={isOfSeveral} />
        </div>
      )}
      <p class="hidden" role="status">
        {point === undefined ? "" : pointText(point, isOfSeveral)}
      </p>
    </div>
  );
}
