import { type Geometry, uniteBounds, unwrapBbox, wrapBbox } from "@swath/geometry";
import type { SpatialExtent } from "@swath/openeo";
import type { Bbox } from "@swath/raster";
import type { Path } from "../refusal.ts";
import { type CubeRegion, partsOf } from "../run/compute/cube-region.ts";
import { type Area, areaOf, areaOfGeometry, isPolygonal, withMargin } from "./area.ts";
import type { SearchArea } from "./search-boxes.ts";

/**
 * An extent as an area, of lines and points the box around them.
 *
 * @param path of the node that the extent is of
 */
export function areaOfExtent({ bbox, geometry, crs }: SpatialExtent, path: Path): Area {
  const isThinOrMixed = bbox === undefined && geometry !== undefined && !isPolygonal(geometry);
  return isThinOrMixed ? areaOfGeometry(geometry, path) : areaOf({ bbox, geometry, crs }, path);
}

/** Whether all of a geometry is points and lines, which are in pixels and not around their centres. */
export const isThin = (geometry: Geometry): boolean => !partsOf(geometry).some(isPolygonal);

/** The pixels of an extent. */
export function regionOfExtent(extent: SpatialExtent, path: Path): CubeRegion {
  const { geometry, crs } = extent;
  if (geometry !== undefined && !isPolygonal(geometry)) return { kind: "geometry", geometry, crs };
  const area = areaOfExtent(extent, path);
  if (area.polygon !== undefined) return { kind: "geometry", geometry: area.polygon, crs: area.crs.name };
  return { kind: "box", bounds: area.bounds, crs: area.crs.name };
}

/**
 * Returns the area in which the scenes of a load are searched: the box around its extents, and their geometries, one of
 * which footprints have to meet.
 *
 * @param extents at least one
 */
export function searchAreaOf(extents: readonly SpatialExtent[], path: Path): SearchArea {
  const places = extents.map((extent) => placeOf(extent, path));
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return { geometry: only.geometry, boxes: [only.bbox] };
  const around = uniteBounds(places.map(({ bbox }) => unwrapBbox(bbox)));
  const geometries = places.map(({ geometry }) => geometry);
  return { geometry: { type: "GeometryCollection", geometries }, boxes: [wrapBbox(withMargin(around))] };
}

function placeOf(extent: SpatialExtent, path: Path): { readonly geometry: Geometry; readonly bbox: Bbox } {
  const { geometry } = extent;
  if (geometry?.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { geometry, bbox: [lon, lat, lon, lat] };
  }
  const area = areaOfExtent(extent, path);
  return { geometry: area.outline, bbox: area.bbox };
}
