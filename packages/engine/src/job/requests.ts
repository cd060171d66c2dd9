import type { CloudMask, HarmonizeLevel, MosaickingOrder, Unit } from "@swath/schema";

/** A box or a polygon, and its CRS. */
export interface AreaBounds {
  readonly bbox?: readonly number[] | undefined;
  readonly geometry?: unknown;
  readonly properties?: { readonly crs?: string | undefined } | undefined;
}

/** An area as a GeoTIFF. */
export interface ProcessRequest {
  readonly input: {
    readonly bounds: AreaBounds;
    readonly data: readonly {
      readonly type: string;
      readonly dataFilter: {
        readonly timeRange?: { readonly from: string; readonly to: string } | undefined;
        readonly maxCloudCoverage?: number | undefined;
        readonly mosaickingOrder?: MosaickingOrder | undefined;
        readonly ids?: readonly string[] | undefined;
      };
      readonly processing?:
        | {
            readonly units?: string | undefined;
            readonly harmonize?: string | undefined;
            readonly clipNegative?: boolean | undefined;
          }
        | undefined;
    }[];
  };
  readonly bands?: readonly string[] | undefined;
  readonly output: {
    readonly width?: number | undefined;
    readonly height?: number | undefined;
    readonly resx?: number | undefined;
    readonly resy?: number | undefined;
    readonly crs?: string | undefined;
    readonly sampleType?: "AUTO" | "UINT16" | "INT16" | "FLOAT32" | undefined;
  };
}

/** What is computed of an output beside moments and extremes. */
export interface Calculation {
  readonly percentiles?: readonly number[] | undefined;
  readonly histogram?:
    | {
        readonly nBins?: number | undefined;
        readonly binWidth?: number | undefined;
        readonly bins?: readonly number[] | undefined;
        readonly lowEdge?: number | undefined;
        readonly highEdge?: number | undefined;
      }
    | undefined;
}

/** Statistics of an area by interval. */
export interface StatisticsRequest {
  readonly input: {
    readonly bounds: AreaBounds;
    readonly data: readonly {
      readonly type: string;
      readonly dataFilter?:
        | {
            readonly maxCloudCoverage?: number | undefined;
            readonly mosaickingOrder?: MosaickingOrder | undefined;
          }
        | undefined;
      readonly processing?: { readonly units?: Unit | undefined } | undefined;
    }[];
  };
  readonly aggregation: {
    readonly timeRange: { readonly from: string; readonly to: string };
    readonly aggregationInterval?: { readonly of?: string | undefined } | undefined;
    readonly width?: number | undefined;
    readonly height?: number | undefined;
    readonly resx?: number | undefined;
    readonly resy?: number | undefined;
  };
  readonly bands?: readonly string[] | undefined;
  readonly index?: string | undefined;
  readonly expression?: string | undefined;
  readonly cloudMask?: CloudMask | undefined;
  readonly harmonize?: HarmonizeLevel | undefined;
  readonly calculations?: Readonly<Record<string, Calculation>> | undefined;
}
