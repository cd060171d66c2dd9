import type { Schemas } from "../api/types.ts";
import type { FieldGeometry } from "../fields/read-fields.ts";
import type { Quantity, Span } from "../view/analysis-view.ts";
import { addDays, windowStart } from "../view/days.ts";

/** The most that the service reads of a polygon, km². */
export const MAX_SERIES_KM2 = 25;
export const REDUCERS = ["mean", "median", "min", "max"] as const;
export type Reducer = (typeof REDUCERS)[number];

export interface SeriesQuestion {
  readonly geometry: FieldGeometry;
  readonly collection: string;
  readonly measure: Quantity;
  /** First and last day. */
  readonly from: string;
  readonly to: string;
  /** Scenes of more cloud are left out; 100: none is. */
  readonly cloud: number;
  /** Whether pixels stay that masks call cloud or shadow. */
  readonly keepsClouds: boolean;
  readonly reducer: Reducer;
}

/** Classes that are left out where clouds stay: they have no values. */
export const NO_VALUES = ["nodata", "saturated_defective"] as const;

/** First and last day of a span that ends where the view ends. */
export function spanDays(
  span: Span,
  view: { readonly from: string; readonly to: string },
): { from: string; to: string } {
  if (span === "view") return { from: view.from, to: view.to };
  // both ends are in it: a year that ends on 31 December begins on 1 January
  return { from: addDays(windowStart(view.to, span), 1), to: view.to };
}

const measured = (measure: Quantity): { index: string } | { expression: string } =>
  measure.kind === "index" ? { index: measure.id } : { expression: measure.text };

/** A body with a geometry that nobody changes. */
type SeriesBody = Omit<Schemas["TimeseriesRequest"], "geometry"> & { readonly geometry: FieldGeometry };

export type SeriesRequest =
  | { readonly method: "GET"; readonly path: string }
  | { readonly method: "POST"; readonly path: string; readonly body: SeriesBody };

/**
 * The request of a series. Those at a point are addresses, whose answers browsers keep: the same one again is free. Polygons are
 * sent in a body.
 */
export function seriesRequest(question: SeriesQuestion): SeriesRequest {
  const { geometry, collection, measure, from, to, cloud, keepsClouds, reducer } = question;
  const path = "v1/timeseries";
  const datetime = `${from}/${to}`;
  const clouds = cloud === 100 ? {} : { maxCloudCoverage: cloud };
  if (geometry.type === "Point") {
    const [lon, lat] = geometry.coordinates;
    const exclude = keepsClouds ? { exclude: NO_VALUES.join() } : {};
    const fields = { lon, lat, datetime, collections: collection, ...measured(measure), ...clouds, ...exclude };
    const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    return { method: "GET", path: `${path}?${query}` };
  }
  const cloudMask = keepsClouds ? { cloudMask: { exclude: [...NO_VALUES] } } : {};
  const body = {
    geometry,
    datetime,
    collections: [collection],
    ...measured(measure),
    ...clouds,
    ...cloudMask,
    reducer,
  };
  return { method: "POST", path, body };
}
