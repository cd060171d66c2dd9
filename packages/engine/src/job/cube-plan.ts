import type { Item } from "@swath/catalog";
import {
  type CubePlan,
  type Expression,
  type Fold,
  inOrder,
  type PlannedGrid,
  type SpatialExtent,
} from "@swath/openeo";
import type { Grid } from "@swath/raster";
import { LEAST_TIMESERIES } from "../limits/cost.ts";
import { checkOutput, ReadCounts } from "../limits/limits.ts";
import { skippedScene, valuesScene } from "../read/item-groups.ts";
import type { Path } from "../refusal.ts";
import type { ComputeJob, GroupOutput, Reducer, SkippedScene } from "../run/compute/compute-job.ts";
import type { CubeRegion } from "../run/compute/cube-region.ts";
import { WorkBreaks } from "../run/work-breaks.ts";
import { CubeItems, type LoadedTimes, programsOf } from "../when/cube-items.ts";
import { type AreaGrid, areaGrid, checkAreaPixels, cubeGrid, isPartOfCube } from "../where/cube-grid.ts";
import { regionOfExtent } from "../where/cube-region.ts";
import { CubeJobBuilder, type CubeScene, type JobParts } from "./cube-job-builder.ts";

/** A job whose outputs are bands of a raster. */
export interface RasterWork {
  readonly kind: "raster";
  readonly grid: Grid;
  readonly job: ComputeJob;
}

/** Jobs whose outputs are the values that expressions reduce, one per area. */
export interface NumbersWork {
  readonly kind: "numbers";
  readonly areas: readonly AreaWork[];
}

export interface AreaWork {
  readonly job: ComputeJob;
  /** By group, by output: the `reduced` expressions that are made of its numbers. */
  readonly reduced: readonly (readonly (readonly ReducedExpression[])[])[];
}

export type ReducedExpression = Extract<Expression, { kind: "reduced" }>;

export interface CubeWork {
  readonly work: RasterWork | NumbersWork;
  /** Units, not rounded. */
  readonly units: number;
  /** Items that lack a file that is needed: they are left out. */
  readonly missing: readonly SkippedScene[];
  /** Items that are read, by their load. */
  readonly items: readonly (readonly Item[])[];
}

/**
 * Decides what is read of which item, on which grid, and what it costs. Between areas other requests get their turn.
 *
 * @throws {Refusal} `output-too-large` with the numbers; `pixel-too-large`; `invalid` for areas that have no pixels in their CRS.
 */
export function planCube(
  plan: CubePlan,
  loads: readonly (LoadedTimes | undefined)[],
  { signal }: { readonly signal: AbortSignal },
): Promise<CubeWork> {
  return new CubePlanner(plan, loads, new WorkBreaks(signal)).plan();
}

class CubePlanner {
  readonly #plan: CubePlan;
  readonly #loads: readonly (LoadedTimes | undefined)[];
  readonly #missing = new Map<string, SkippedScene>();
  readonly #reads = new Map<string, readonly CubeScene[]>();
  readonly #regions = new Map<SpatialExtent, CubeRegion>();
  readonly #items: CubeItems;
  readonly #grids = new Map<PlannedGrid, Grid>();
  readonly #breaks: WorkBreaks;
  readonly #parts: JobParts;
  /** Path of the node that gives the result: refusals of grids name it. */
  readonly #path: Path;

  constructor(plan: CubePlan, loads: readonly (LoadedTimes | undefined)[], breaks: WorkBreaks) {
    this.#plan = plan;
    this.#path = ["what", "graph", "nodes", plan.resultNode];
    this.#loads = loads;
    this.#items = new CubeItems(loads);
    this.#breaks = breaks;
    this.#parts = {
      plan,
      loads,
      scenes: (load, time, bands) => this.#scenes(load, time, bands),
      gridOf: (number) => this.#gridOf(plan.grids[number]!),
      regionOf: (load) => loads[load]?.load.extents.map((extent) => this.#regionOf(extent)) ?? [],
      counts: new ReadCounts(),
      path: this.#path,
    };
  }

  async plan(): Promise<CubeWork> {
    const { result } = this.#plan;
    const { work, units } =
      result.kind === "raster"
        ? this.#raster(result)
        : result.kind === "numbers"
          ? await this.#numbers(result.cells)
          : { work: { kind: "numbers" as const, areas: [] }, units: 0 };
    return {
      work,
      units,
      missing: [...this.#missing.values()],
      items: this.#loads.map((load) => load?.steps.flatMap(({ items }) => items) ?? []),
    };
  }

  #gridOf(grid: PlannedGrid): Grid {
    const known = this.#grids.get(grid) ?? cubeGrid(grid, this.#items.cornersOf(grid), this.#path);
    this.#grids.set(grid, known);
    return known;
  }

  #regionOf(extent: SpatialExtent): CubeRegion {
    const known = this.#regions.get(extent) ?? regionOfExtent(extent, this.#path);
    this.#regions.set(extent, known);
    return known;
  }

  #raster({ grid: request, bands, format }: Extract<CubePlan["result"], { kind: "raster" }>) {
    const grid = this.#gridOf(request);
    checkOutput(grid, bands.length);
    const builder = new CubeJobBuilder(this.#parts, grid);
    builder.addTask(
      bands.map(({ value }) => value),
      bands.map((): GroupOutput => ({ kind: "band" })),
    );
    const job = builder.build(this.#plan.regions.map((region) => this.#regionOf(region)));
    const is32Bit = format === "GTiff";
    const units = Math.max(0.005, builder.units * (is32Bit ? 2 : 1));
    return { work: { kind: "raster" as const, grid, job }, units };
  }

  async #numbers(cells: readonly Expression[]) {
    const reduced = inOrder(cells).filter((each) => each.kind === "reduced");
    const byArea = new Map<number, ReducedExpression[]>();
    for (const each of reduced) {
      const others = byArea.get(each.area);
      if (others === undefined) byArea.set(each.area, [each]);
      else others.push(each);
    }
    checkAreaPixels(
      [...byArea.keys()].map((number) => this.#plan.areas[number]!),
      this.#path,
    );
    let units = 0;
    const areas: AreaWork[] = [];
    for (const [number, own] of byArea) {
      await this.#breaks.take();
      const area = this.#plan.areas[number]!;
      const isOver = this.#items.over(area.geometry);
      // a part of a cube's grid has the cube's pixels, another grid those of the scenes over the area
      const corners = this.#items.cornersOf(area.grid, isPartOfCube(area.grid) ? undefined : isOver);
      const placed = areaGrid(area, corners, this.#path);
      if (placed === undefined) continue;
      const { work, cost } = await this.#area(own, placed, isOver);
      units += cost;
      areas.push(work);
    }
    return { work: { kind: "numbers" as const, areas }, units: Math.max(LEAST_TIMESERIES, units) };
  }

  async #area(
    own: readonly ReducedExpression[],
    { grid, region, isPoint }: AreaGrid,
    isOver: (item: Item) => boolean,
  ): Promise<{ work: AreaWork; cost: number }> {
    // values that several folds are made of are computed once
    const byValue = new Map<Expression, ReducedExpression[]>();
    for (const each of own) byValue.set(each.of, [...(byValue.get(each.of) ?? []), each]);
    const values = [...byValue.keys()];
    const regions = this.#plan.regions.map((extent) => this.#regionOf(extent));
    if (region !== undefined) regions.push(region);
    const counted = region === undefined ? {} : { region: regions.length - 1 };
    const builder = new CubeJobBuilder(this.#parts, grid, { isPoint, isOver });
    const groups = builder.groups(values);
    for (const numbers of groups) {
      await this.#breaks.take();
      const outputs = numbers.map((number) => values[number]!);
      const kinds = outputs.map(
        (value): GroupOutput => ({
          kind: "numbers",
          name: String(value.id),
          ...counted,
          reducers: reducersOf(byValue.get(value)!),
        }),
      );
      builder.addTask(outputs, kinds);
    }
    return {
      work: {
        job: builder.build(regions),
        reduced: groups.map((numbers) => numbers.map((number) => byValue.get(values[number]!)!)),
      },
      cost: builder.units,
    };
  }

  /** The scenes of a time step, with a file for each band that is read. */
  #scenes(number: number, time: number, bands: ReadonlySet<number>): readonly CubeScene[] {
    const key = [number, time, ...bands].join();
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const load = this.#loads[number]!;
    const programs = programsOf(load);
    const scenes = load.steps[time]!.items.flatMap((item) => {
      const parts = programs.map((program, band) =>
        bands.has(band) ? valuesScene(item, program, undefined) : undefined,
      );
      const lacks = parts.flatMap((part) => part?.lacks ?? []);
      if (lacks.length > 0) {
        this.#missing.set(item.id, skippedScene(item, lacks));
        return [];
      }
      const reads = parts.map((part) => (part?.lacks === undefined ? part?.read : undefined));
      const first = reads.find((read) => read !== undefined);
      return [{ ...first!, files: reads.map((read) => read?.files[0]), validWhere: "any-file" as const }];
    });
    this.#reads.set(key, scenes);
    return scenes;
  }
}

/** Returns the reducers that folds of the values need; quantiles stand in the order of the folds. */
function reducersOf(reduced: readonly ReducedExpression[]): readonly Reducer[] {
  const at = reduced.flatMap(({ fold }: { readonly fold: Fold }) =>
    fold.name === "quantile" ? [100 * (fold.at ?? 0.5)] : [],
  );
  return [
    { kind: "moments" },
    { kind: "squares" },
    { kind: "extremes" },
    ...(at.length === 0 ? [] : [{ kind: "percentiles" as const, at }]),
  ];
}
