import type { EngineParts } from "../parts.ts";
import { Refusal } from "../refusal.ts";
import type {
  ExtractionRequest,
  GraphRequest,
  ImageRequest,
  Into,
  Request,
  SeriesRequest,
  StatisticsRequest,
  Where,
} from "../request.ts";
import {
  type ExtractedFile,
  type ExtractionServices,
  type PreparedExtraction,
  prepareExtraction,
} from "./extraction.ts";
import { type PreparedImage, prepareImage } from "./find-image.ts";
import { type OpenEoResult, type OpenEoServices, prepareGraph } from "./graph.ts";
import type { FinishedImage } from "./images.ts";
import type { Prepared } from "./prepared.ts";
import { prepareSeries, type SeriesServices, type Timeseries } from "./series.ts";
import { prepareStatistics, type Statistics, type StatisticsServices } from "./statistics.ts";

interface Options {
  readonly signal: AbortSignal;
}

/** What becomes of a request, by where its pixels go. */
export interface Results {
  readonly image: FinishedImage;
  readonly geotiff: ExtractedFile;
  readonly intervals: Statistics;
  readonly overpasses: Timeseries;
  readonly graph: OpenEoResult;
}

/** Places that each kind of result is made of. */
const PLACES: Readonly<Record<Into["kind"], readonly Where["kind"][]>> = {
  image: ["tile", "item", "area"],
  geotiff: ["area"],
  intervals: ["area"],
  overpasses: ["point", "area"],
  graph: ["graph"],
};

/**
 * The one order in which a request is carried out: *find scenes -> job -> cost and key -> [the caller admits] -> read metadata ->
 * run -> result*. This is its first half; `run` of what it gives is the second.
 *
 * @throws {Refusal} with the path of what is wrong with the request; {CatalogError} where scenes cannot be searched; {OpenEoError}
 *   with what is wrong with a process graph.
 */
export function prepare(
  parts: Parameters<typeof prepareImage>[0],
  request: ImageRequest,
  options: Options,
): Promise<PreparedImage>;
export function prepare(
  parts: ExtractionServices,
  request: ExtractionRequest,
  options: Options,
): Promise<PreparedExtraction>;
export function prepare(
  parts: StatisticsServices,
  request: StatisticsRequest,
  options: Options,
): Promise<Prepared<Statistics>>;
export function prepare(parts: SeriesServices, request: SeriesRequest, options: Options): Promise<Prepared<Timeseries>>;
export function prepare(
  parts: OpenEoServices,
  request: GraphRequest,
  options: Options,
): Promise<Prepared<OpenEoResult>>;
export function prepare<I extends Into>(
  parts: EngineParts,
  request: Request<Where, I>,
  options: Options,
): Promise<Prepared<Results[I["kind"]]>>;
export async function prepare(
  given: Partial<EngineParts>,
  request: Request,
  options: Options,
): Promise<Prepared<unknown>> {
  const { where, into } = request;
  const places = PLACES[into.kind];
  if (!places.includes(where.kind)) {
    throw new Refusal("invalid", ["where", "kind"], `Expected ${places.join(" or ")}, got ${where.kind}.`);
  }
  // the overloads say which parts each kind needs
  const parts = given as EngineParts;
  switch (into.kind) {
    case "image":
      return prepareImage(parts, request as ImageRequest, options);
    case "geotiff":
      return prepareExtraction(parts, request as ExtractionRequest, options);
    case "intervals":
      return prepareStatistics(parts, request as StatisticsRequest, options);
    case "overpasses":
      return prepareSeries(parts, request as SeriesRequest, options);
    case "graph":
      return prepareGraph(parts, request as GraphRequest, options);
  }
}
