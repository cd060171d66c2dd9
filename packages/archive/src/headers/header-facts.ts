import type { Cog } from "@swath/cog";
import { flattenRing, type Geometry, type Position, polygonGeometry, unwrapRing } from "@swath/geometry";
import { applyAffine, type Grid, gridBbox, metresPerUnit, resolveCrs, transformer } from "@swath/raster";
import type { FileValues } from "./read-values.ts";

/** Facts from the header of a GeoTIFF, as plain data. */
export interface HeaderFacts {
  readonly width: number;
  readonly height: number;
  /** Columns and rows of the coarsest level: an overview, or the file's own. */
  readonly coarsest: readonly [width: number, height: number];
  /** Column and row to coordinates: a, b, c, d, e, f. */
  readonly transform: readonly number[];
  /** EPSG code of the CRS; absent where it has none. */
  readonly epsg?: number;
  /** Width of a pixel on the ground, metres. */
  readonly gsd: number;
  readonly sampleType: string;
  /** The value that means "no data", as STAC writes it. */
  readonly nodata?: number | "nan";
  readonly bands: readonly { readonly name?: string; readonly color?: string; readonly unit?: string }[];
  /** The outline of the pixels in degrees. */
  readonly footprint: Geometry;
  /** The file's TIFFTAG_DATETIME or ACQUISITIONDATETIME, as it stands. */
  readonly datetime?: string;
  /** Values of its bands, see `readValues`; `null` where they have none, absent before they were looked for. */
  readonly values?: FileValues | null;
}

/** Points on each edge of an outline. */
const EDGE_POINTS = 4;

/** The facts of an open file that can be placed on the ground; see `Cog.georeferenced`. */
export function headerFacts(cog: Cog): HeaderFacts {
  const { grid, nodata } = cog;
  const datetime = cog.metadata.ACQUISITIONDATETIME ?? cog.metadata.TIFFTAG_DATETIME;
  return {
    width: grid.width,
    height: grid.height,
    coarsest: coarsestOf(cog),
    transform: [...grid.transform],
    ...(grid.crs.epsg === undefined ? {} : { epsg: grid.crs.epsg }),
    gsd: groundSize(grid),
    sampleType: cog.sampleType,
    ...(nodata === undefined ? {} : { nodata: Number.isNaN(nodata) ? ("nan" as const) : nodata }),
    bands: cog.bands.map(({ name, unit }, i) => ({
      ...(name === undefined ? {} : { name }),
      ...(unit === undefined ? {} : { unit }),
      ...(cog.colorInterpretation[i] === undefined ? {} : { color: cog.colorInterpretation[i] }),
    })),
    footprint: footprintOf(grid),
    ...(datetime === undefined ? {} : { datetime }),
  };
}

function coarsestOf({ levels, grid }: Cog): HeaderFacts["coarsest"] {
  const { width, height } = levels.at(-1) ?? grid;
  return [width, height];
}

function groundSize({ crs, transform: [a, , , d] }: Grid): number {
  const size = Math.hypot(a, d) * metresPerUnit(crs);
  return Number(size.toPrecision(6));
}

/** The four edges of a grid in degrees; the box around it where an edge has no coordinates or goes around a pole. */
export function footprintOf(grid: Grid): Geometry {
  const toDegrees = transformer(grid.crs, resolveCrs("EPSG:4326"));
  const ring = aroundPoles(edgeOf(grid).map(([x, y]) => toDegrees(x, y)));
  const flat = ring.every(([x]) => !Number.isNaN(x)) ? flattenRing([...ring, ring[0] as Position]) : undefined;
  const whole = flat === undefined ? undefined : unwrapRing(flat);
  if (whole === undefined || whole.length !== flat?.length) return boxOf(grid);
  return rounded(polygonGeometry([[whole]]));
}

/** Degrees by which a point is at a pole, and two longitudes are opposite. */
const NEARLY = 1e-6;

/**
 * Points of a ring with the way over a pole written out. A pole has every longitude: a corner there is reached along the meridian of
 * the point before it, and left along that of the point behind. An edge through a pole goes from a longitude to the opposite one.
 */
function aroundPoles(ring: readonly (readonly [number, number])[]): [number, number][] {
  const isPole = (point: readonly [number, number]): boolean => Math.abs(point[1]) > 90 - NEARLY;
  const others = ring.filter((point) => !isPole(point));
  if (others.length === 0) return ring.map(([x, y]) => [x, y]);
  const at = (i: number): readonly [number, number] =>
    ring[(i + ring.length) % ring.length] as readonly [number, number];
  const beside = (i: number, step: 1 | -1): number => {
    let j = i + step;
    while (isPole(at(j))) j += step;
    return at(j)[0];
  };
  return ring.flatMap((point, i): [number, number][] => {
    const [x, y] = point;
    if (isPole(point)) {
      const pole = Math.sign(y) * 90;
      return [
        [beside(i, -1), pole],
        [beside(i, 1), pole],
      ];
    }
    const [nextX, nextY] = at(i + 1);
    const turn = Math.abs((((nextX - x) % 360) + 360) % 360);
    const isOver = !isPole(at(i + 1)) && Math.abs(turn - 180) < NEARLY && Math.sign(y) === Math.sign(nextY);
    if (!isOver) return [[x, y]];
    const pole = Math.sign(y) * 90;
    return [
      [x, y],
      [x, pole],
      [nextX, pole],
    ];
  });
}

function boxOf(grid: Grid): Geometry {
  const [west, south, east, north] = gridBbox(grid);
  const to = west > east ? east + 360 : east;
  const ring: Position[] = [
    [west, south],
    [to, south],
    [to, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}

function edgeOf({ transform, width, height }: Grid): [number, number][] {
  const steps = Array.from({ length: EDGE_POINTS }, (_, i) => i / EDGE_POINTS);
  // anticlockwise where rows go south
  return [
    ...steps.map((t) => applyAffine(transform, 0, height * t)),
    ...steps.map((t) => applyAffine(transform, width * t, height)),
    ...steps.map((t) => applyAffine(transform, width, height * (1 - t))),
    ...steps.map((t) => applyAffine(transform, width * (1 - t), 0)),
  ].map(([x, y]) => [x, y]);
}

/** Coordinates to a centimetre. */
function rounded(geometry: Geometry): Geometry {
  return JSON.parse(
    JSON.stringify(geometry, (_key, value: unknown) => (typeof value === "number" ? Number(value.toFixed(7)) : value)),
  ) as Geometry;
}
