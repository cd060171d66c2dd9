import type { Geometry } from "@swath/query";
import { OpenEoError } from "../errors.ts";

/** A box or a geometry with an area. */
export interface Extent {
  /** West, south, east, north in units of the CRS. */
  readonly bbox?: readonly [number, number, number, number];
  /** Polygon or MultiPolygon, or of points to be aggregated a Point. */
  readonly geometry?: Geometry;
  /** `EPSG:n`; geometries are in EPSG:4326. */
  readonly crs: string;
}

/** Metres of a degree of the equator. */
export const METRES_PER_DEGREE = 111_320;

/**
 * The pixels of a cube. By default those of the coarsest native resolution of the bands in the UTM zone of most scenes, or with
 * as many that of the centre of the extent.
 */
export interface GridRequest {
  /** Absent: the cube has no bounds yet. */
  readonly extent?: Extent;
  /** The coarsest native resolution of what was loaded, metres. */
  readonly native: number;
  /** Pixel width and height in units of the CRS, where they were asked for. */
  readonly resolution?: readonly [number, number];
  /** `EPSG:n`, where it was asked for. */
  readonly crs?: string;
  /** Numbers of the loads that the cube is made of. */
  readonly loads: ReadonlySet<number>;
}

/**
 * The grid of a cube that is made of two: the same, but that default resolutions become the coarser one.
 *
 * @param hasSameExtent whether their extents are the same
 * @throws {OpenEoError} `IncompatibleDataCubes` for different extents, CRSs or resolutions.
 */
export function commonGrid(a: GridRequest, b: GridRequest, hasSameExtent: boolean): GridRequest {
  if (!hasSameExtent) throw incompatible("extents: filter both to one box");
  if (a.crs !== b.crs) throw incompatible("CRSs: resample one of them");
  const [[x, y], [u, v]] = [a.resolution ?? [], b.resolution ?? []];
  if (x !== u || y !== v) throw incompatible("resolutions: resample one of them");
  return { ...a, native: Math.max(a.native, b.native), loads: new Set([...a.loads, ...b.loads]) };
}

const incompatible = (what: string): OpenEoError =>
  new OpenEoError("IncompatibleDataCubes", `The cubes have different ${what}.`);

/** Where two extents meet; the second one where that cannot be told from numbers alone; `undefined`: nowhere. */
export function intersectExtents(a: Extent, b: Extent): Extent | undefined {
  if (a.bbox === undefined || b.bbox === undefined || a.crs !== b.crs) return b;
  const [w, s, e, n] = a.bbox;
  const [west, south, east, north] = b.bbox;
  // boxes across the antimeridian
  if (w > e || west > east) return b;
  const bbox = [Math.max(w, west), Math.max(s, south), Math.min(e, east), Math.min(n, north)] as const;
  return bbox[0] < bbox[2] && bbox[1] < bbox[3] ? { bbox, crs: a.crs } : undefined;
}
