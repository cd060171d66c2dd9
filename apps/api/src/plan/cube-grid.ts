import { type Geometry, polygonGeometry, polygonsOf, uniteBounds, unwrapPolygons, wrapBbox } from "@swath/geometry";
import { type Extent, type GridRequest, METRES_PER_DEGREE, type ReductionArea } from "@swath/openeo";
import type { ProblemError } from "@swath/problem";
import { type Bbox, type Bounds, type Grid, invertAffine, resolveCrs, transformer, windowGrid } from "@swath/raster";
import type { Clip } from "../render/extract-job.ts";
import { analysisGrid, gridFromCorner, type PixelCorner } from "./analysis-grid.ts";
import { type Area, areaBbox, areaOf, areaPolygon } from "./area.ts";
import { areaBoundsIn } from "./area-outline.ts";
import { pixelFault } from "./pixel-size.ts";
import { pointGrid } from "./point-grid.ts";
import { orSampledPixel } from "./sampled-pixel.ts";
import { gridZone, utmZone } from "./utm-zone.ts";

const DEGREES = "EPSG:4326";
/** Where a body holds the resolutions of cubes. */
const GRAPH = "/process/process_graph";

/** A box or polygon as an area; its problems are those of `/input/bounds` of other requests. */
export function areaOfExtent({ bbox, geometry, crs }: Extent): Area {
  if (bbox !== undefined) return areaOf({ bbox: [...bbox], properties: { crs } });
  return areaOf({ geometry, properties: { crs } });
}

export function clipOf(extent: Extent): Clip {
  const { polygon, bounds, crs } = areaOfExtent(extent);
  const [west, south, east, north] = bounds;
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { polygon: polygon ?? { type: "Polygon", coordinates: [ring] as [number, number][][] }, crs: crs.name };
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

/**
 * The grid of a cube.
 *
 * @param corners of pixels of the files that it may be aligned with
 * @throws {ProblemError} `output-too-large` beyond 2,500 pixels a side.
 */
export function cubeGrid(request: GridRequest & { readonly extent: Extent }, corners: readonly PixelCorner[]): Grid {
  const area = areaOfExtent(request.extent);
  const { native } = request;
  if (request.resolution === undefined && request.crs === undefined) {
    return analysisGrid(area, {}, native, corners, "").grid;
  }
  const crs = request.crs === undefined ? gridZone(area, corners) : resolveCrs(request.crs);
  const own = crs.geographic ? native / METRES_PER_DEGREE : native;
  return gridFromCorner(area, crs, request.resolution ?? [own, own], request.resolution && GRAPH);
}

/** The pixels of an area, and which of them count. `undefined`: the area lies outside of the cube's grid. */
export interface AreaGrid {
  readonly grid: Grid;
  readonly region?: Clip;
  /** Whether it is the one pixel of a point. */
  readonly isPoint: boolean;
}

/** Whether areas are reduced on pixels of the cube: where it has bounds and was resampled. */
export const isPartOfCube = (grid: GridRequest): grid is GridRequest & { readonly extent: Extent } =>
  grid.extent !== undefined && (grid.resolution !== undefined || grid.crs !== undefined);

/**
 * The grid of an area to be reduced: of a cube that was resampled a part of its grid, else pixels of its own: of a point the
 * one that it is in, of a polygon those of the native resolution around it.
 */
export function areaGrid({ geometry, grid }: ReductionArea, corners: readonly PixelCorner[]): AreaGrid | undefined {
  const isResampled = grid.resolution !== undefined || grid.crs !== undefined;
  if (isPartOfCube(grid)) return partOfGrid(geometry, cubeGrid(grid, corners));
  if (geometry.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { grid: pointGrid([lon, lat]), isPoint: true };
  }
  const area = areaOfGeometry(geometry);
  if (isResampled) {
    const crs = grid.crs === undefined ? gridZone(area, corners) : resolveCrs(grid.crs);
    const own = crs.geographic ? grid.native / METRES_PER_DEGREE : grid.native;
    const region = { polygon: area.polygon!, crs: DEGREES };
    const whole = gridFromCorner(area, crs, grid.resolution ?? [own, own], undefined);
    return { ...orSampledPixel({ grid: whole, region }, area), isPoint: false };
  }
  return { ...orSampledPixel(analysisGrid(area, {}, grid.native, corners, ""), area), isPoint: false };
}

/**
 * Refuses a resolution of which a pixel is larger than each of the areas that are reduced on pixels of their own.
 *
 * @throws {ProblemError} `pixel-too-large`, by the first of them
 */
export function checkAreaPixels(areas: readonly ReductionArea[]): void {
  const byGrid = new Map<GridRequest, Area[]>();
  for (const { geometry, grid } of areas) {
    if (grid.resolution === undefined || grid.extent !== undefined || geometry.type === "Point") continue;
    const own = byGrid.get(grid) ?? [];
    own.push(areaOfGeometry(geometry));
    byGrid.set(grid, own);
  }
  for (const [grid, own] of byGrid) {
    let first: ProblemError | undefined;
    for (const area of own) {
      const crs = grid.crs === undefined ? utmZone(area) : resolveCrs(grid.crs);
      const fault = pixelFault(
        { size: grid.resolution!, pointers: [GRAPH, GRAPH] },
        areaBoundsIn(area, crs, false),
        crs,
      );
      if (fault === undefined) break;
      first ??= fault;
      if (area === own.at(-1)) throw first;
    }
  }
}

function areaOfGeometry(geometry: Geometry): Area {
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") throw new TypeError(geometry.type);
  const polygon = polygonGeometry(unwrapPolygons(geometry));
  const bounds = uniteBounds(
    polygonsOf(polygon).map(([outer = []]) => uniteBounds(outer.map(([x = 0, y = 0]) => [x, y, x, y]))),
  );
  return { crs: resolveCrs(DEGREES), bounds, polygon };
}

/** The pixels of a grid that an area touches. */
function partOfGrid(geometry: Geometry, whole: Grid): AreaGrid | undefined {
  const isPoint = geometry.type === "Point";
  const inverse = invertAffine(whole.transform);
  const area = isPoint ? undefined : areaOfGeometry(geometry);
  const [minX, minY, maxX, maxY] = area === undefined ? pointIn(geometry, whole) : areaBoundsIn(area, whole.crs, false);
  const column = (x: number): number => Math.floor(inverse[0] * x + inverse[2]);
  const row = (y: number): number => Math.floor(inverse[4] * y + inverse[5]);
  const left = Math.max(0, column(minX));
  const top = Math.max(0, row(maxY));
  const right = Math.min(whole.width - 1, column(maxX));
  const bottom = Math.min(whole.height - 1, row(minY));
  if (!(left <= right && top <= bottom)) return undefined;
  const window = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  const grid = windowGrid(whole, window);
  if (area?.polygon === undefined) return { grid, isPoint };
  return { ...orSampledPixel({ grid, region: { polygon: area.polygon, crs: DEGREES } }, area), isPoint };
}

function pointIn(geometry: Geometry, { crs }: Grid): Bounds {
  const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
  const [x, y] = transformer(resolveCrs(DEGREES), crs)(lon, lat);
  return [x, y, x, y];
}
