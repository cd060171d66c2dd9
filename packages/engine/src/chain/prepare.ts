import { checkRequest } from "../check-request.ts";
import type { EngineParts } from "../parts.ts";
import { type Path, Refusal } from "../refusal.ts";
import type {
  ExtractionRequest,
  FeaturesRequest,
  Frame,
  GraphRequest,
  ImageRequest,
  IntervalsInto,
  Into,
  OverpassesInto,
  Request,
  SeriesRequest,
  StatisticsRequest,
  When,
  Where,
} from "../request.ts";
import {
  type ExtractedFile,
  type ExtractionServices,
  type PreparedExtraction,
  prepareExtraction,
} from "./extraction.ts";
import { type OpenEoResult, type OpenEoServices, prepareGraph } from "./graph/graph.ts";
import { type PreparedImage, prepareImage } from "./images/find-image.ts";
import type { FinishedImage } from "./images/images.ts";
import { type FeatureResults, prepareFeatures } from "./numbers/features.ts";
import { prepareSeries, type SeriesServices, seriesProduct, type Timeseries } from "./numbers/series.ts";
import {
  prepareStatistics,
  type Statistics,
  type StatisticsServices,
  statisticsProduct,
} from "./numbers/statistics.ts";
import type { Prepared } from "./prepared.ts";

interface Options {
  readonly signal: AbortSignal;
}

/** The results of requests, by the kind of `into`. */
export interface Results {
  readonly image: FinishedImage;
  readonly geotiff: ExtractedFile;
  readonly intervals: Statistics;
  readonly overpasses: Timeseries;
  readonly graph: OpenEoResult;
}

/** Places that a kind of result is made of, and what may be said of its scenes. */
interface Taken {
  readonly where: readonly Where["kind"][];
  readonly when: readonly (keyof When)[];
  readonly frame: readonly (keyof Frame)[];
}

const SIZES = ["crs", "width", "height", "resx", "resy"] as const;

const TAKEN: Readonly<Record<Into["kind"], Taken>> = {
  image: { where: ["tile", "item", "area"], when: ["collections", "time", "filter"], frame: ["size"] },
  geotiff: {
    where: ["area"],
    when: ["collections", "time", "ids", "maxCloudCover", "order", "samePlatform", "filter"],
    frame: [...SIZES, "nativeCrs", "size", "exact"],
  },
  intervals: {
    where: ["area", "features"],
    when: ["collections", "time", "every", "maxCloudCover", "order", "filter"],
    frame: SIZES,
  },
  overpasses: {
    where: ["point", "area", "features"],
    when: ["collections", "time", "maxCloudCover", "filter"],
    frame: SIZES,
  },
  graph: { where: ["graph"], when: [], frame: [] },
};

/** Refuses what a kind of result would leave out of account. */
function checkTaken({ where, when, into }: Request): void {
  const taken = TAKEN[into.kind];
  if (!taken.where.includes(where.kind)) {
    const detail = `Expected ${taken.where.join(" or ")}, got ${where.kind}.`;
    throw new Refusal("invalid", ["where", "kind"], detail);
  }
  refuseOthers(when, taken.when, ["when"], into);
  if ("frame" in where && where.frame !== undefined) refuseOthers(where.frame, taken.frame, ["where", "frame"], into);
}

function refuseOthers<T extends object>(given: T, taken: readonly (keyof T)[], path: Path, { kind }: Into): void {
  const names = Object.keys(given) as (keyof T & string)[];
  const other = names.find((name) => given[name] !== undefined && !taken.includes(name));
  if (other === undefined) return;
  throw new Refusal("invalid", [...path, other], `Expected no ${other}: ${kind} cannot be made by it.`);
}

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
  parts: StatisticsServices,
  request: FeaturesRequest<IntervalsInto>,
  options: Options,
): Promise<Prepared<FeatureResults<Statistics>>>;
export function prepare(
  parts: SeriesServices,
  request: FeaturesRequest<OverpassesInto>,
  options: Options,
): Promise<Prepared<FeatureResults<Timeseries>>>;
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
  checkRequest(request);
  checkTaken(request);
  // the overloads say which parts each kind needs
  const parts = given as EngineParts;
  const { where, into } = request;
  if (where.kind === "features") {
    const several = request as FeaturesRequest;
    return into.kind === "intervals"
      ? prepareFeatures(parts, several, statisticsProduct(parts), options)
      : prepareFeatures(parts, several, seriesProduct(parts), options);
  }
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
