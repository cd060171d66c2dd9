import type { Cog } from "@swath/cog";
import { flattenRing, type Geometry, type Position, polygonGeometry, unwrapRing } from "@swath/geometry";
import { applyAffine, type Grid, gridBbox, metresPerUnit, resolveCrs, transformer } from "@swath/raster";

/** Facts from the header of a GeoTIFF, as plain data. */
export interface HeaderFacts {
  readonly width: number;
  readonly height: number;
  /** Column and row to coordinates: a, b, c, d, e, f. */
  readonly transform: readonly number[];
  /** EPSG code of the CRS; absent where it has none. */
  readonly epsg?: number;
  /** Width of a pixel on the ground, metres. */
  readonly gsd: number;
  readonly sampleType: string;
  /** The value that means "no data", as STAC writes it. */
  readonly nodata?: number | "nan";
  readonly bands: readonly { readonly name?: string; readonly color?: string }[];
  /** The outline of the pixels in degrees. */
  readonly footprint: Geometry;
  /** The file's TIFFTAG_DATETIME or ACQUISITIONDATETIME, as it stands. */
  readonly datetime?: string;
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
    transform: [...grid.transform],
    ...(grid.crs.epsg === undefined ? {} : { epsg: grid.crs.epsg }),
    gsd: groundSize(grid),
    sampleType: cog.sampleType,
    ...(nodata === undefined ? {} : { nodata: Number.isNaN(nodata) ? ("nan" as const) : nodata }),
    bands: cog.bands.map(({ name }, i) => ({
      ...(name === undefined ? {} : { name }),
      ...(cog.colorInterpretation[i] === undefined ? {} : { color: cog.colorInterpretation[i] }),
    })),
    footprint: footprintOf(grid),
    ...(datetime === undefined ? {} : { datetime }),
  };
}

function groundSize({ crs, transform: [a, , , d] }: Grid): number {
  const size = Math.hypot(a, d) * metresPerUnit(crs);
  return Number(size.toPrecision(6));
}

/** The four edges of a grid in degrees; the box around it where an edge has no coordinates or goes around a pole. */
export function footprintOf(grid: Grid): Geometry {
  const toDegrees = transformer(grid.crs, resolveCrs("EPSG:4326"));
  const ring = edgeOf(grid).map(([x, y]) => toDegrees(x, y));
  const flat = ring.every(([x]) => !Number.isNaN(x)) ? flattenRing([...ring, ring[0] as Position]) : undefined;
  const whole = flat === undefined ? undefined : unwrapRing(flat);
  if (whole === undefined || whole.length !== flat?.length) return boxOf(grid);
  return rounded(polygonGeometry([[whole]]));
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
