import type { Geometry } from "@swath/query";
import { OpenEoError } from "../errors.ts";

/** A box or a geometry with an area. */
export interface SpatialExtent {
  /** West, south, east, north in units of the CRS. */
  readonly bbox?: readonly [number, number, number, number];
  /** Any geometry of the GeoJSON types except GeometryCollection. */
  readonly geometry?: Geometry;
  /** `EPSG:n`; geometries are in EPSG:4326. */
  readonly crs: string;
}

/** The corner of an extent that pixels begin at. */
export type Align = "upper-left" | "upper-right" | "lower-left" | "lower-right";

/** Pixels that were asked for. */
export interface AskedPixels {
  /** Pixel width and height in units of the CRS; absent: the native resolution. */
  readonly resolution?: readonly [number, number];
  /** `EPSG:n`; absent: the UTM zone of most scenes. */
  readonly crs?: string;
  readonly align: Align;
  /** The extent that pixels are aligned with; absent: the cube had no bounds then. */
  readonly extent?: SpatialExtent;
}

/**
 * The pixels of a cube: those whose centres are in the boxes around all of its extents. By default those of the coarsest
 * native resolution of the bands, in the UTM zone of most scenes, or with as many that of the centre of the extent.
 */
export interface GridRequest {
  /** Outside of them the cube has no pixels; empty: those that were asked for, if any, or no bounds yet. */
  readonly extents: readonly SpatialExtent[];
  /** Absent: pixels are those of the files. */
  readonly asked?: AskedPixels;
  /** Numbers of the loads whose bands have the native resolution. */
  readonly resolutionLoads: ReadonlySet<number>;
  /** Numbers of all loads that the cube is made of. */
  readonly loads: ReadonlySet<number>;
}

/** The extent that bounds a cube last; `undefined`: nothing does. */
export const boundOf = ({ extents, asked }: Pick<GridRequest, "extents" | "asked">): SpatialExtent | undefined =>
  extents.at(-1) ?? asked?.extent;

/** Extents with a further one: a box within a box of the same CRS says all that the outer one says. */
export function withSpatialExtent(extents: readonly SpatialExtent[], extent: SpatialExtent): readonly SpatialExtent[] {
  const last = extents.at(-1);
  if (last?.bbox === undefined || extent.bbox === undefined || last.crs !== extent.crs) return [...extents, extent];
  const [w, s, e, n] = last.bbox;
  const [west, south, east, north] = extent.bbox;
  // boxes across the antimeridian
  if (w > e || west > east) return [...extents, extent];
  const bbox = [Math.max(w, west), Math.max(s, south), Math.min(e, east), Math.min(n, north)] as const;
  if (bbox[0] < bbox[2] && bbox[1] < bbox[3]) return [...extents.slice(0, -1), { bbox, crs: extent.crs }];
  throw new OpenEoError(
    "ProcessParameterInvalid",
    "Expected an extent that meets that of the cube, got one outside of it.",
  );
}
