import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { SeriesChart } from "../charts/series-chart.ts";
import { axisLabel, type Curve, type CurvePoint, marksOf } from "./curves.ts";
import type { Observation } from "./observations.ts";

const seconds = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
const DAY_S = 86_400;

export interface SeriesChartProps {
  readonly curves: readonly Curve[];
  /** First and last day that was asked for. */
  readonly from: string;
  readonly to: string;
  /** The scene on the map. */
  readonly scene: string | undefined;
  /** Shows the scene of an observation; absent: nothing does. */
  readonly onShow?: ((row: Observation) => void) | undefined;
  /** Limits of the axis of values that several charts share. */
  readonly limits?: readonly [number, number] | undefined;
  /** Id of the curve that stands out among several. */
  readonly chosen?: string | undefined;
  /** Names of all sensors, in the order of their marks. */
  readonly sensors: readonly string[];
  /** Sensors, or ids of curves where there are several, that are not drawn. */
  readonly hidden: ReadonlySet<string>;
}

export interface DrawnSeries {
  /** The element that the chart is drawn in. */
  readonly element: RefObject<HTMLDivElement | null>;
  readonly chart: RefObject<SeriesChart | null>;
  /** The mark that is pointed at, and where it is in the element. */
  readonly pointed: Signal<{ readonly index: number; readonly x: number; readonly y: number } | undefined>;
  readonly isZoomed: Signal<boolean>;
  /** The observation of a mark, by its index in the chart. */
  readonly pointAt: (index: number | undefined) => CurvePoint | undefined;
}

/** Draws a chart of curves, again when they or what is hidden of them change. */
export function useSeriesChart(props: SeriesChartProps, points: readonly CurvePoint[]): DrawnSeries {
  const { curves, from, to, scene, limits, sensors, hidden, chosen } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<SeriesChart>(null);
  const pointed = useSignal<{ index: number; x: number; y: number } | undefined>(undefined);
  const isZoomed = useSignal(false);
  const shown = useRef(props);
  shown.current = props;
  const pointAt = (index: number | undefined): CurvePoint | undefined =>
    index === undefined ? undefined : points[chart.current?.marks[index]?.source ?? -1];
  // as soon as the element is seen, pointers and keys are the chart's
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const options = {
      label: axisLabel(curves[0]?.series ?? { index: null }),
      lines: curves.map(({ id, name, number }) => ({ name, kind: number, isChosen: id === chosen })),
      colored: curves.length > 1,
      marks: marksOf(curves, points, { sensors, hidden }),
      span: [seconds(from), seconds(to) + DAY_S],
      limits,
    } as const;
    const drawn = new SeriesChart(element.current, options, {
      onPoint: (at) => {
        pointed.value = at;
      },
      onChoose: (index) => {
        const row = pointAt(index)?.row;
        if (row !== undefined) shown.current.onShow?.(row);
      },
      onZoom: (zoomed) => {
        isZoomed.value = zoomed;
      },
    });
    chart.current = drawn;
    return () => drawn.destroy();
  }, [points, hidden, limits, from, to, chosen]);
  useLayoutEffect(() => {
    const index = chart.current?.marks.findIndex(({ source }) => points[source]?.row.itemId === scene);
    chart.current?.choose(index === -1 || scene === undefined ? undefined : index);
  }, [scene, points, hidden, limits, chosen]);
  return { element, chart, pointed, isZoomed, pointAt };
}
