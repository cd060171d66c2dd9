import { type Geometry, uniteBounds, unwrapBbox, wrapBbox } from "@swath/geometry";
import type { Extent } from "@swath/openeo";
import type { Bbox } from "@swath/raster";
import type { Path } from "../refusal.ts";
import { type CubeRegion, partsOf } from "../run/cube-region.ts";
import { type Area, areaBbox, areaOf, areaOfGeometry, areaPolygon, isPolygonal, withMargin } from "./area.ts";

/**
 * An extent as an area, of lines and points the box around them.
 *
 * @param path of the node that the extent is of
 */
export function areaOfExtent({ bbox, geometry, crs }: Extent, path: Path): Area {
  const isThinOrMixed = bbox === undefined && geometry !== undefined && !isPolygonal(geometry);
  return isThinOrMixed ? areaOfGeometry(geometry, path) : areaOf({ bbox, geometry, crs }, path);
}

/** Whether all of a geometry is points and lines, which are in pixels and not around their centres. */
export const isThin = (geometry: Geometry): boolean => !partsOf(geometry).some(isPolygonal);

/** The pixels of an extent. */
export function regionOfExtent(extent: Extent, path: Path): CubeRegion {
  const { geometry, crs } = extent;
  if (geometry !== undefined && !isPolygonal(geometry)) return { kind: "geometry", geometry, crs };
  const area = areaOfExtent(extent, path);
  if (area.polygon !== undefined) return { kind: "geometry", geometry: area.polygon, crs: area.crs.name };
  return { kind: "box", bounds: area.bounds, crs: area.crs.name };
}

/**
 * The area in which scenes are searched: the box around the places, and their geometries, one of which footprints have
 * to meet.
 */
export interface SearchArea {
  readonly geometry: Geometry;
  readonly bbox: Bbox;
}

/** @param extents at least one */
export function searchAreaOf(extents: readonly Extent[], path: Path): SearchArea {
  const places = extents.map((extent) => placeOf(extent, path));
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return only;
  const around = uniteBounds(places.map(({ bbox }) => unwrapBbox(bbox)));
  const geometries = places.map(({ geometry }) => geometry);
  return { geometry: { type: "GeometryCollection", geometries }, bbox: wrapBbox(withMargin(around)) };
}

function placeOf(extent: Extent, path: Path): SearchArea {
  const { geometry } = extent;
  if (geometry?.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { geometry, bbox: [lon, lat, lon, lat] };
  }
  const area = areaOfExtent(extent, path);
  return { geometry: areaPolygon(area), bbox: areaBbox(area) };
}
