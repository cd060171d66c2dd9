import type { CurveOptions } from "@swath/curve";
import type { Filter } from "@swath/query";
import type { CloudMask, MosaickingOrder } from "@swath/schema";
import type { ImageFormat } from "./run/job.ts";

/**
 * A request to the engine: plain data, complete in itself. Two ways in that mean the same make the same request, and get
 * the same bytes for the same units.
 */
export interface Request<W extends Where = Where, I extends Into = Into> {
  readonly where: W;
  readonly when: When;
  readonly what: What;
  readonly into: I;
}

/** A map tile, of the scenes, order and style of a preset. */
export type TileRequest = Request<TileWhere, ImageInto>;

/** One item, by a preset or in true colour. */
export type ItemImageRequest = Request<ItemWhere, ImageInto>;

/** A box in Web Mercator, of the scenes, order and style of a preset. */
export type AreaImageRequest = Request<AreaWhere, ImageInto>;

/** An image of any of these. */
export type ImageRequest = Request<TileWhere | ItemWhere | AreaWhere, ImageInto>;

/** An area as a GeoTIFF. */
export type ExtractionRequest = Request<AreaWhere, GeoTiffInto>;

/** Statistics of an area by interval. */
export type StatisticsRequest = Request<AreaWhere, IntervalsInto>;

/** A curve: the values at a point or in a polygon, one for each overpass. */
export type SeriesRequest = Request<PointWhere | AreaWhere, OverpassesInto>;

/** The request for the result that an openEO process graph saves. */
export type GraphRequest = Request<GraphWhere, GraphInto>;

/** Statistics by interval, or curves, of several fields and points, each answered for itself. */
export type FeaturesRequest<I extends IntervalsInto | OverpassesInto = IntervalsInto | OverpassesInto> = Request<
  FeaturesWhere,
  I
>;

/** A place, and the pixels that it is drawn or measured in. */
export type Where = TileWhere | ItemWhere | PointWhere | AreaWhere | FeaturesWhere | GraphWhere;

/** Several places, whose files are read once for neighbours. */
export interface FeaturesWhere {
  readonly kind: "features";
  readonly features: readonly FeatureWhere[];
  /** Pixels of each; absent: those of the files. */
  readonly frame?: Frame | undefined;
}

/** One of several places. */
export interface FeatureWhere {
  /** Default: its position, from 0. */
  readonly id?: string | number | undefined;
  /** GeoJSON Point, Polygon or MultiPolygon, degrees. */
  readonly geometry: unknown;
}

/** The areas and grids that the nodes of a process graph name. */
export interface GraphWhere {
  readonly kind: "graph";
}

/** A map tile. */
export interface TileWhere {
  readonly kind: "tile";
  /** `WebMercatorQuad` or another of the preset's. */
  readonly tileMatrixSet: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Pixels of its edge: 256, or 512 of the same ground for screens of many pixels; default 256. */
  readonly size?: 256 | 512 | undefined;
}

/** One item on its own pixels, or on fewer. */
export interface ItemWhere {
  readonly kind: "item";
  readonly id: string;
  /** Pixels of the long edge at most. */
  readonly maxSize: number;
}

/** The pixel around a point. */
export interface PointWhere {
  readonly kind: "point";
  /** Degrees, -180 to 180. */
  readonly lon: number;
  /** Degrees, -90 to 90. */
  readonly lat: number;
}

/** A box, or a polygon outside of which pixels do not count. */
export interface AreaWhere {
  readonly kind: "area";
  /** West, south, east, north in units of `crs`, or six numbers with heights; instead of `geometry`. */
  readonly bbox?: readonly number[] | undefined;
  /** GeoJSON Polygon or MultiPolygon in `crs`. */
  readonly geometry?: unknown;
  /** `EPSG:n`, OGC URI or URN of WGS 84, Web Mercator or a UTM zone; default: CRS84. */
  readonly crs?: string | undefined;
  /** Absent: the pixels of the files. */
  readonly frame?: Frame | undefined;
}

/** The pixels of an area: as many, or as large as these. */
export interface Frame {
  /** Default: that of the area for numbers, EPSG:3857 for files. */
  readonly crs?: string | undefined;
  /** Whether a file has the UTM zone of the scene on top, instead of `crs`; where that has none, the zone of the area's middle. */
  readonly nativeCrs?: boolean | undefined;
  /** Pixels; with `height`, instead of `resx` and `resy`. One of them may be `auto`: in proportion to the area. */
  readonly width?: number | "auto" | undefined;
  readonly height?: number | "auto" | undefined;
  /** Pixels of the long edge of an image or file, instead of both; default of images 512. */
  readonly size?: number | undefined;
  /** Pixel width in units of the CRS. */
  readonly resx?: number | undefined;
  readonly resy?: number | undefined;
  /** Whether pixels of a file are exactly as large, from the upper left corner on, until they cover the area; default: nearly, from edge to edge. */
  readonly exact?: boolean | undefined;
}

/** The scenes that are searched. */
export interface When {
  /** Ids or aliases of collections; default: that of the preset, of curves `optical-sr`. */
  readonly collections?: readonly string[] | undefined;
  /** An RFC 3339 instant or interval, whose ends may be open, or both ends apart. */
  readonly time?: string | { readonly from: string; readonly to: string } | undefined;
  /** ISO 8601 duration into which `time` is divided; default: one interval. */
  readonly every?: string | undefined;
  /** Ids of items, first on top; instead of `time`. */
  readonly ids?: readonly string[] | undefined;
  /** Scenes of more cloud, in percent, are left out; 100 and absent leave none out. */
  readonly maxCloudCover?: number | undefined;
  /** Rule for the scene on top; default: `mostRecent`. */
  readonly order?: MosaickingOrder | undefined;
  /** Whether a file is made of every scene over the area that the platform of the clearest one took; default: of those that cover it. */
  readonly samePlatform?: boolean | undefined;
  /** Further conditions on items. */
  readonly filter?: Filter | undefined;
}

/** One value of several that are computed for each pixel: one of `index`, `expression` and `band`. */
export interface Measure {
  /** Name of its numbers in the result. */
  readonly name: string;
  /** Where the request has it, below its measures; default: by its position. */
  readonly at?: readonly (string | number)[] | undefined;
  readonly index?: string | undefined;
  readonly expression?: string | undefined;
  /** Common name, native name or alias. */
  readonly band?: string | undefined;
}

/** The value that is drawn or computed for each pixel: one of `bands`, `index`, `expression`, `preset`, `graph` and `measures`. */
export interface What {
  /** Common names, native names or aliases; default of files: the bands that the scenes have. */
  readonly bands?: readonly string[] | undefined;
  /** Id of an index of the schema. */
  readonly index?: string | undefined;
  /** Band math over names of bands. */
  readonly expression?: string | undefined;
  /** Id of a preset: bands or an expression, with colours. */
  readonly preset?: string | undefined;
  /** Several values of each pixel, computed of one read of its bands. */
  readonly measures?: readonly Measure[] | undefined;
  /** Nodes of an openEO process graph by their ids, and the definitions of its parameters. */
  readonly graph?: { readonly nodes: unknown; readonly parameters?: unknown } | undefined;
  /** Colors of an image of `bands` or an `expression`; a preset has its own. */
  readonly style?: ImageStyle | undefined;
  /** Default: that of the collection. */
  readonly units?: string | undefined;
  /** Level of harmonization; default: that of the collection. */
  readonly harmonize?: string | undefined;
  /** Whether reflectance below 0 becomes 0. */
  readonly clipNegative?: boolean | undefined;
  /** Classes of pixels that are dropped; default: none in files and images, clouds and shadows in numbers. */
  readonly mask?: CloudMask | undefined;
}

/** Colors of an image. */
export interface ImageStyle {
  /**
   * Values shown as the first and the last color, for all bands or for each, or the percentiles of the image's own values that are;
   * default: usual ones of the collection.
   */
  readonly rescale?: readonly (readonly [low: number, high: number])[] | Percentiles | undefined;
  /** Name of a colormap of the schema, for one band; default: grey. */
  readonly colormap?: string | undefined;
}

/** Shares of the values of an image below the first and the last color, percent: 0 to 100. */
export interface Percentiles {
  readonly percentiles: readonly [low: number, high: number];
}

/** The use of the pixels. */
export type Into = ImageInto | GeoTiffInto | IntervalsInto | OverpassesInto | GraphInto;

/** A styled image. */
export interface ImageInto {
  readonly kind: "image";
  readonly format: ImageFormat | "auto";
}

/** A Cloud-Optimized GeoTIFF, or one for each band. */
export interface GeoTiffInto {
  readonly kind: "geotiff";
  /** Default `one`, of all bands; each of several is a mosaic of its own band, whose pixels with data are counted. */
  readonly files?: "one" | "per-band" | undefined;
  /** Names in the file of the bands that the request lists, or of its expressions; default: those of the collection. */
  readonly bandNames?: readonly string[] | undefined;
  /** Default `AUTO`: the narrowest type that holds every value. */
  readonly sampleType?: "AUTO" | "UINT16" | "INT16" | "FLOAT32" | undefined;
  /** Default: 20,000 pixels a side, 600 million values, 2,400 million values × scenes. */
  readonly caps?: SizeCaps | undefined;
}

/** The most that a file may be. */
export interface SizeCaps {
  /** Pixels a side. */
  readonly side: number;
  /** Width × height × bands. */
  readonly values: number;
  /** Values × scenes read, of files of several scenes. */
  readonly valuesTimesScenes: number;
}

/** Statistics of each interval. */
export interface IntervalsInto {
  readonly kind: "intervals";
  /** Percentiles and histograms, under `default` or the name of an output. */
  readonly calculations?: Readonly<Record<string, Calculation>> | undefined;
}

/** A curve: one value for each overpass. Its smoothed curve, trend and seasons are those of this value. */
export interface OverpassesInto extends CurveOptions {
  readonly kind: "overpasses";
  /** Reducer of the pixels of a polygon to one value; default: `mean`, of classes `majority`. */
  readonly reducer?: "mean" | "median" | "min" | "max" | "majority" | undefined;
  /** Further reducers, whose numbers stand beside the value. */
  readonly reducers?: readonly SeriesReducer[] | undefined;
}

/**
 * A number of the pixels of a polygon that have a value. `stdDev` is that of the population, `percentile` is 0 to 100, linear between
 * the nearest values; `share` is that of the pixels which have one of these values; `majority` is the class of most pixels,
 * the least of several.
 */
export type SeriesReducer =
  | "mean"
  | "median"
  | "stdDev"
  | "min"
  | "max"
  | "count"
  | "majority"
  | { readonly percentile: number }
  | { readonly share: readonly number[] };

/** The format in which the graph saves its result. */
export interface GraphInto {
  readonly kind: "graph";
  /** Units that the result may cost; absent: any. */
  readonly budget?: number | undefined;
}

/** Calculations for an output besides moments and extremes. */
export interface Calculation {
  /** Percent of the values that are below, 0 to 100. */
  readonly percentiles?: readonly number[] | undefined;
  readonly histogram?: HistogramSettings | undefined;
}

/** One of `nBins`, `binWidth` and `bins`, in the unit of the output. */
export interface HistogramSettings {
  readonly nBins?: number | undefined;
  readonly binWidth?: number | undefined;
  readonly bins?: readonly number[] | undefined;
  readonly lowEdge?: number | undefined;
  readonly highEdge?: number | undefined;
}
