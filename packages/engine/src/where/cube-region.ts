import {
  type Geometry,
  polygonGeometry,
  polygonsOf,
  shapeBbox,
  toShape,
  uniteBounds,
  unwrapBbox,
  unwrapPolygons,
  wrapBbox,
} from "@swath/geometry";
import type { Extent } from "@swath/openeo";
import { type Bbox, type Bounds, resolveCrs } from "@swath/raster";
import { type CubeRegion, partsOf } from "../run/cube-region.ts";
import { type Area, areaBbox, areaOf, areaPolygon } from "./area.ts";

const DEGREES = "EPSG:4326";
/** Degrees, a tenth of a metre, by which the box around points and lines is larger than they are: it has an area. */
const AROUND = 1e-6;

/** An extent as an area, of lines and points the box around them; its problems are those of `/input/bounds` of other requests. */
export function areaOfExtent({ bbox, geometry, crs }: Extent): Area {
  if (bbox !== undefined) return areaOf({ bbox, crs });
  if (geometry === undefined || isPolygonal(geometry)) return areaOf({ geometry, crs });
  return areaOfGeometry(geometry);
}

/** A geometry in degrees as an area; without its polygon where it is not of polygons alone. */
export function areaOfGeometry(geometry: Geometry): Area {
  const crs = resolveCrs(DEGREES);
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    const [west, south, east, north] = boundsOfGeometry(geometry);
    return { crs, bounds: [west - AROUND, Math.max(-90, south - AROUND), east + AROUND, Math.min(90, north + AROUND)] };
  }
  const polygon = polygonGeometry(unwrapPolygons(geometry));
  const bounds = uniteBounds(
    polygonsOf(polygon).map(([outer = []]) => uniteBounds(outer.map(([x = 0, y = 0]) => [x, y, x, y]))),
  );
  return { crs, bounds, polygon };
}

/** The box around a geometry, degrees; beyond 180° where it crosses the antimeridian. Of one point it has no area. */
export function boundsOfGeometry(geometry: Geometry): Bounds {
  return unwrapBbox(shapeBbox(toShape(geometry, "across-antimeridian")) ?? [0, 0, 0, 0]);
}

const isPolygonal = ({ type }: Geometry): boolean => type === "Polygon" || type === "MultiPolygon";

/** Whether all of a geometry is points and lines, which are in pixels and not around their centres. */
export const isThin = (geometry: Geometry): boolean => !partsOf(geometry).some(isPolygonal);

/** The pixels of an extent. */
export function regionOfExtent(extent: Extent): CubeRegion {
  const { geometry, crs } = extent;
  if (geometry !== undefined && !isPolygonal(geometry)) return { kind: "geometry", geometry, crs };
  const area = areaOfExtent(extent);
  if (area.polygon !== undefined) return { kind: "geometry", geometry: area.polygon, crs: area.crs.name };
  return { kind: "box", bounds: area.bounds, crs: area.crs.name };
}

/** Where scenes are searched: the box around the extents, and their geometries, one of which footprints have to meet. */
export function searchAreaOf(extents: readonly Extent[]): { readonly geometry: Geometry; readonly bbox: Bbox } {
  const [only, ...others] = extents;
  if (only !== undefined && others.length === 0) {
    if (only.geometry?.type === "Point") return { geometry: only.geometry, bbox: boxOfPoint(only.geometry) };
    const area = areaOfExtent(only);
    return { geometry: areaPolygon(area), bbox: areaBbox(area) };
  }
  const geometries = extents.map((extent): Geometry => {
    return extent.geometry?.type === "Point" ? extent.geometry : areaPolygon(areaOfExtent(extent));
  });
  const bounds = uniteBounds(extents.map(boundsOf));
  const margin = 1e-6;
  const [west, south, east, north] = bounds;
  const box: Bounds = [west - margin, Math.max(-90, south - margin), east + margin, Math.min(90, north + margin)];
  const area = areaOfExtent({ bbox: wrapBbox(box) as unknown as [number, number, number, number], crs: DEGREES });
  return { geometry: { type: "GeometryCollection", geometries }, bbox: areaBbox(area) };
}

const boxOfPoint = ({ coordinates: [lon = 0, lat = 0] }: Extract<Geometry, { type: "Point" }>): Bbox => [
  lon,
  lat,
  lon,
  lat,
];

function boundsOf(extent: Extent): Bounds {
  if (extent.geometry?.type === "Point") return boxOfPoint(extent.geometry) as unknown as Bounds;
  const [west, south, east, north] = areaBbox(areaOfExtent(extent));
  return [west, south, east < west ? east + 360 : east, north];
}
