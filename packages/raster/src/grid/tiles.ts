import { tileToBBOX } from "@mapbox/tilebelt";
import { type Crs, resolveCrs } from "../crs/crs.ts";
import { EQUATOR_RADIUS } from "../crs/earth.ts";
import { TileError } from "../errors.ts";
import type { Bbox, Bounds } from "./bounds.ts";
import { type Grid, gridFromBounds } from "./grid.ts";

/** Tile matrix sets of OGC 17-083r4 (Two Dimensional Tile Matrix Set), annexes D.1 and D.2. */
export type TileMatrixSetId = "WebMercatorQuad" | "WorldCRS84Quad";

/** Facts of a tile matrix set. */
export interface TileMatrixSet {
  readonly id: TileMatrixSetId;
  readonly title: string;
  readonly uri: string;
  /** OGC URI of the CRS. */
  readonly crs: string;
  readonly wellKnownScaleSet: string;
  /** Extent of the one row (and one or two columns) of zoom 0, CRS units. */
  readonly bounds: Bounds;
  /** Tiles at zoom 0. */
  readonly columns: 1 | 2;
  readonly rows: 1;
  /** Scale denominator of zoom 0 with tiles of 256 pixels of 0.28 mm. */
  readonly scaleDenominator: number;
  readonly maxZoom: number;
}

/** Half the equator: 20037508.342789244 m, as the tile matrix set states it. */
const HALF_WORLD = Math.PI * EQUATOR_RADIUS;

/** The two tile matrix sets, by id. */
export const TILE_MATRIX_SETS: Readonly<Record<TileMatrixSetId, TileMatrixSet>> = {
  WebMercatorQuad: {
    id: "WebMercatorQuad",
    title: "Google Maps Compatible for the World",
    uri: "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad",
    crs: "http://www.opengis.net/def/crs/EPSG/0/3857",
    wellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible",
    bounds: [-HALF_WORLD, -HALF_WORLD, HALF_WORLD, HALF_WORLD],
    columns: 1,
    rows: 1,
    scaleDenominator: 559082264.0287178,
    maxZoom: 24,
  },
  WorldCRS84Quad: {
    id: "WorldCRS84Quad",
    title: "CRS84 for the World",
    uri: "http://www.opengis.net/def/tilematrixset/OGC/1.0/WorldCRS84Quad",
    crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    wellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/GoogleCRS84Quad",
    bounds: [-180, -90, 180, 90],
    columns: 2,
    rows: 1,
    scaleDenominator: 279541132.0143589,
    maxZoom: 24,
  },
};

/** Tiles across and down at a zoom. */
export function matrixSize(id: TileMatrixSetId, z: number): { width: number; height: number } {
  const { columns, rows } = TILE_MATRIX_SETS[id];
  return { width: columns * 2 ** z, height: rows * 2 ** z };
}

/** Whether z, x, y are whole numbers that name a tile; row 0 is the northernmost. */
export function isTile(id: TileMatrixSetId, z: number, x: number, y: number): boolean {
  if (!(Number.isInteger(z) && Number.isInteger(x) && Number.isInteger(y))) return false;
  if (z < 0 || z > TILE_MATRIX_SETS[id].maxZoom) return false;
  const { width, height } = matrixSize(id, z);
  return x >= 0 && x < width && y >= 0 && y < height;
}

/**
 * The pixels of a tile, `size × size`.
 *
 * @throws {TileError} where there is no such tile.
 */
export function tileGrid(id: TileMatrixSetId, z: number, x: number, y: number, size = 256): Grid {
  return gridFromBounds(tileCrs(id), tileBounds(id, z, x, y), size, size);
}

/**
 * Extent of a tile in CRS units, as the tile matrix set defines it. Edges shared by two tiles are the same number.
 *
 * @throws {TileError} where there is no such tile.
 */
export function tileBounds(id: TileMatrixSetId, z: number, x: number, y: number): Bounds {
  checkTile(id, z, x, y);
  const [minX, minY, maxX, maxY] = TILE_MATRIX_SETS[id].bounds;
  const { width, height } = matrixSize(id, z);
  // fractions of a power of two (times two) are exact, so that neighbours agree and parents cover children
  const atX = (column: number): number => minX + (maxX - minX) * (column / width);
  const atY = (row: number): number => maxY - (maxY - minY) * (row / height);
  return [atX(x), atY(y + 1), atX(x + 1), atY(y)];
}

/**
 * Extent of a tile in degrees, by tilebelt for WebMercatorQuad. Only `tileBounds`, in CRS units, is exact enough for
 * pixels: degrees and metres are each rounded by themselves, so that an edge in one need not be that in the other to
 * the last bit.
 *
 * @throws {TileError} where there is no such tile.
 */
export function tileBbox(id: TileMatrixSetId, z: number, x: number, y: number): Bbox {
  checkTile(id, z, x, y);
  return id === "WebMercatorQuad"
    ? (tileToBBOX([x, y, z]) as [number, number, number, number])
    : tileBounds(id, z, x, y);
}

function checkTile(id: TileMatrixSetId, z: number, x: number, y: number): void {
  if (!isTile(id, z, x, y)) throw new TileError(`Expected a tile of ${id}, got ${z}/${x}/${y}.`);
}

function tileCrs(id: TileMatrixSetId): Crs {
  return resolveCrs(id === "WebMercatorQuad" ? "EPSG:3857" : "EPSG:4326");
}
