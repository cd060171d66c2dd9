import type { Dimension } from "./cube/cube.ts";
import type { GridRequest } from "./cube/grid-request.ts";
import type { Expression } from "./expression/expression.ts";
import { inputsOf } from "./expression/traversal.ts";
import type { Compilation, ReductionArea } from "./interpreter/compilation.ts";

/** A grid, and its native resolution. */
export interface PlannedGrid extends GridRequest {
  /** The coarsest native resolution, metres, of the bands from which its values are computed. */
  readonly native: number;
}

/** An area over whose pixels values are reduced. */
export interface PlannedArea extends Pick<ReductionArea, "geometry"> {
  readonly grid: PlannedGrid;
}

/** The result of a graph: pixels of a grid, or numbers. */
export type PlannedResult =
  /** Values for each pixel of a grid, one band per combination of labels. */
  | {
      readonly kind: "raster";
      readonly format: "GTiff" | "PNG" | "JPEG";
      readonly grid: PlannedGrid;
      readonly bands: readonly { readonly name: string; readonly value: Expression }[];
    }
  /** Numbers for each combination of labels. */
  | {
      readonly kind: "numbers";
      readonly format: "JSON" | "CSV";
      readonly dimensions: readonly Dimension[];
      readonly cells: readonly Expression[];
    }
  /** JSON that needs no pixels. */
  | { readonly kind: "json"; readonly value: unknown }
  /** A result whose kind depends on time steps that are not known yet. */
  | { readonly kind: "unknown" };

/** Areas and grids of a plan beside that of its result, with the native resolution of what is computed on each. */
export function plannedGrids(
  result: PlannedResult,
  { areas, grids, loads }: Compilation,
): { readonly areas: readonly PlannedArea[]; readonly grids: readonly PlannedGrid[] } {
  const values = new Map<GridRequest, Expression[]>(
    [...areas.map(({ grid }) => grid), ...grids].map((grid) => [grid, []]),
  );
  const seen = new Set<Expression>();
  const open = rootsOf(result);
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if ("operands" in each) open.push(...each.operands);
    if (!("of" in each)) continue;
    values.get(each.kind === "reduced" ? areas[each.area]!.grid : grids[each.from]!)?.push(each.of);
    open.push(each.of);
  }
  // areas of one process share a grid
  const planned = new Map([...values].map(([grid, own]) => [grid, withResolution(grid, own, loads)]));
  return {
    areas: areas.map(({ geometry, grid }) => ({ geometry, grid: planned.get(grid)! })),
    grids: grids.map((grid) => planned.get(grid)!),
  };
}

function rootsOf(result: PlannedResult): Expression[] {
  if (result.kind === "raster") return result.bands.map(({ value }) => value);
  return result.kind === "numbers" ? [...result.cells] : [];
}

/**
 * Returns a grid with the coarsest resolution of the bands from which values are computed; without any, of all that are
 * loaded.
 */
export function withResolution(
  grid: GridRequest,
  values: readonly Expression[],
  { all }: Compilation["loads"],
): PlannedGrid {
  const used = inputsOf(values).flatMap(({ load, band }) =>
    grid.resolutionLoads.has(load) ? [all[load]!.bands[band]!.gsd] : [],
  );
  const sizes =
    used.length > 0 ? used : [...grid.resolutionLoads].flatMap((load) => all[load]!.bands.map(({ gsd }) => gsd));
  return { ...grid, native: sizes.reduce((most, gsd) => Math.max(most, gsd)) };
}
