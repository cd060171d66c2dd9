import { applyAffine, type Grid, invertAffine, resolveCrs, transformer } from "@swath/raster";
import { type AngleGrid, type NodeGrid, nodePositions } from "./angle-grid.ts";
import { type KernelWeights, nadirFactor } from "./kernels.ts";
import { prescribedSunZenith } from "./sun.ts";

/** Factors of the reflectance of one band of a scene, at nodes: plain data that crosses threads. */
export interface FactorGrid extends NodeGrid {
  /** One per node, row by row; NaN where there is none. */
  readonly factors: readonly number[];
}

/**
 * c-factors of a band: to nadir view, and to the sun's prescribed zenith at each node's latitude.
 *
 * @param sunZenith coefficients of the polynomial of {@link prescribedSunZenith}.
 */
export function nadirFactors(
  { angles, ...nodes }: AngleGrid,
  weights: KernelWeights,
  sunZenith: readonly number[],
): FactorGrid {
  const positions = nodePositions(nodes);
  const factors = angles.map((each, i) =>
    each === undefined
      ? Number.NaN
      : nadirFactor(weights, each, prescribedSunZenith(sunZenith, positions[i]?.[1] ?? Number.NaN)),
  );
  return { ...nodes, factors };
}

/**
 * Multiplies values on a grid by factors, in place: those of the four nodes around each pixel's centre, bilinearly.
 * Beyond the outer nodes the nearest edge's factors hold. Values turn NaN where a factor is NaN.
 *
 * Pixel centres are projected exactly every `SPACING` pixels, at most a node's distance apart, and linearly in between:
 * for nodes 5 km apart this is off by less than 1 m, or 2e-4 of a node's distance.
 */
export function multiplyByFactors(values: Float32Array | Float64Array, factors: FactorGrid, grid: Grid): void {
  const { width, height } = grid;
  const toNode = nodeCoordinates(factors, grid);
  const spacing = spacingOf(toNode, grid);
  const at = sampler(factors);
  for (let top = 0; top < height; top += spacing) {
    const rows = Math.min(spacing, height - top);
    for (let left = 0; left < width; left += spacing) {
      const columns = Math.min(spacing, width - left);
      const [u00, v00] = toNode(left, top);
      const [u10, v10] = toNode(left + columns, top);
      const [u01, v01] = toNode(left, top + rows);
      const [u11, v11] = toNode(left + columns, top + rows);
      for (let row = 0; row < rows; row++) {
        const t = row / rows;
        const [u, v] = [u00 + (u01 - u00) * t, v00 + (v01 - v00) * t];
        const du = (u10 + (u11 - u10) * t - u) / columns;
        const dv = (v10 + (v11 - v10) * t - v) / columns;
        const start = (top + row) * width + left;
        for (let column = 0; column < columns; column++)
          values[start + column]! *= at(u + du * column, v + dv * column);
      }
    }
  }
}

/** Pixels between positions that are projected. */
const SPACING = 32;

type Position = readonly [number, number];

/** Column and row of a pixel to column and row among the nodes. */
function nodeCoordinates({ crs, transform }: NodeGrid, grid: Grid): (column: number, row: number) => Position {
  const project = transformer(grid.crs, resolveCrs(crs));
  const toNode = invertAffine(transform);
  return (column, row) => applyAffine(toNode, ...project(...applyAffine(grid.transform, column + 0.5, row + 0.5)));
}

/** As many pixels as lie within a node's distance, 1 to `SPACING`. */
function spacingOf(toNode: (column: number, row: number) => Position, { width, height }: Grid): number {
  const [column, row] = [Math.floor(width / 2), Math.floor(height / 2)];
  const [u, v] = toNode(column, row);
  const pixel = Math.max(
    ...[toNode(column + 1, row), toNode(column, row + 1)].map((next) => Math.hypot(next[0] - u, next[1] - v)),
  );
  return Number.isFinite(pixel) ? Math.max(1, Math.min(SPACING, Math.floor(1 / pixel))) : 1;
}

/** Bilinear interpolation among the nodes. */
function sampler({ width, height, factors }: FactorGrid): (u: number, v: number) => number {
  const nodes = Float64Array.from(factors);
  const [lastColumn, lastRow] = [Math.max(0, width - 2), Math.max(0, height - 2)];
  const [right, down] = [width > 1 ? 1 : 0, height > 1 ? width : 0];
  return (u, v) => {
    // NaN, where a pixel has no position, stays NaN
    const x = Math.min(Math.max(u, 0), width - 1);
    const y = Math.min(Math.max(v, 0), height - 1);
    const [column, row] = [Math.min(Math.floor(x), lastColumn), Math.min(Math.floor(y), lastRow)];
    const [s, t] = [x - column, y - row];
    const i = row * width + column;
    const upper = nodes[i]! * (1 - s) + nodes[i + right]! * s;
    const lower = nodes[i + down]! * (1 - s) + nodes[i + down + right]! * s;
    return upper * (1 - t) + lower * t;
  };
}
