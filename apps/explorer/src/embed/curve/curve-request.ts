import { ApiError } from "../../api/api-error.ts";
import { readServiceAddress } from "../../api/service-address.ts";
import { axisLabel } from "../../series/curves.ts";
import type { Observation, Series } from "../../series/observations.ts";
import { seriesRequest } from "../../series/request.ts";
import { parseMeasure } from "../../view/analysis-view.ts";
import { type Attributes, attributeFault, type Days, daysOf, numberOf } from "../attributes.ts";

/** An answer that is asked for. */
export interface CurveRequest {
  /** Address of the service that may be sent a key; absent: the answer is a file, or one's own server gives it. */
  readonly api?: string;
  readonly url: string;
  /** Days of the axis; absent: those of the answer. */
  readonly days?: Days | undefined;
}

/** All optical sensors, each as Landsat 8 would have measured it. */
const ALL = "optical-sr";

/**
 * @param page - address that `src` may be relative to
 * @throws {ApiError} which says what an attribute lacks
 */
export function readCurve(attributes: Attributes, page: string): CurveRequest {
  const days = attributes("dates") === null ? undefined : daysOf(attributes, "dates");
  const src = attributes("src");
  if (src !== null) {
    const url = URL.canParse(src, page) ? new URL(src, page) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) throw attributeFault("src", "expected an address.");
    return { url: url.href, days };
  }
  const given = attributes("api");
  if (given === null)
    throw attributeFault(
      "src",
      "expected the address of an answer of /v1/timeseries, or api, lon, lat, dates and index.",
    );
  const api = readServiceAddress(given).href;
  const lon = numberOf(attributes, "lon", -180, 180);
  const lat = numberOf(attributes, "lat", -90, 90);
  if (lon === undefined || lat === undefined) throw attributeFault("lon, lat", "expected degrees.");
  const measure = parseMeasure(attributes("index") ?? "");
  if (measure === undefined) throw attributeFault("index", "expected an index, ndvi.");
  const { from, to } = daysOf(attributes, "dates");
  const { path } = seriesRequest({
    geometry: { type: "Point", coordinates: [lon, lat] },
    collection: attributes("collection") ?? ALL,
    measure,
    from,
    to,
    cloud: 100,
    keepsClouds: false,
    reducer: "mean",
  });
  return { api, url: new URL(path, api).href, days: { from, to } };
}

/** A curve as it came, with the credit for its images. */
export type CurveAnswer = Series & { readonly attribution: readonly string[] };

function isObservation(row: unknown): row is Observation {
  if (typeof row !== "object" || row === null) return false;
  const { datetime, value, validFraction } = row as Partial<Observation>;
  const isTimed = typeof datetime === "string" && !Number.isNaN(Date.parse(datetime));
  return (
    isTimed &&
    (value === null || typeof value === "number") &&
    (validFraction === null || typeof validFraction === "number")
  );
}

/**
 * Takes the answer of `/v1/timeseries` of one place and one value.
 *
 * @throws {ApiError} where it is something else
 */
export function takeCurve(answer: unknown): CurveAnswer {
  const { series, attribution = [] } = (answer ?? {}) as Partial<CurveAnswer>;
  if (Array.isArray(series) && series.every(isObservation)) return { ...(answer as Series), series, attribution };
  throw new ApiError({
    title: "This is no curve",
    detail: "Expected an answer of /v1/timeseries as JSON: of one place, and of one index or expression.",
  });
}

/** The name of the values with their unit. */
export function quantityText(series: Series): string {
  const label = axisLabel(series);
  return series.unit === undefined || series.unit === "1" ? `${label}, no unit` : label;
}

/** First and last day of a curve that has observations. */
export function spanOf({ series }: Series): Days | undefined {
  const days = series.map(({ datetime }) => datetime.slice(0, 10)).sort();
  const [from] = days;
  const to = days.at(-1);
  return from === undefined || to === undefined ? undefined : { from, to };
}
