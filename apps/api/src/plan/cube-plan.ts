import type { Item } from "@swath/catalog";
import {
  type CubePlan,
  compileProgram,
  type Expression,
  type Extent,
  type Fold,
  type Input,
  independentOutputs,
  inOrder,
} from "@swath/openeo";
import type { Grid } from "@swath/raster";
import { usedRegions } from "../render/cube.ts";
import type { CubeJob, CubeLoad, CubeOutput, CubeScene, CubeTask } from "../render/cube-job.ts";
import type { Clip } from "../render/extract-job.ts";
import type { Reducer, SkippedScene } from "../render/reduce-job.ts";
import { gridSpec } from "../render/scene-read.ts";
import { WorkBreaks } from "../render/work-breaks.ts";
import { LEAST_TIMESERIES, overpassUnits, pixelUnits } from "./cost.ts";
import { type AreaGrid, areaGrid, checkAreaPixels, clipOf, cubeGrid, isPartOfCube } from "./cube-grid.ts";
import { CubeItems, type LoadedTimes, measuresOf } from "./cube-items.ts";
import { checkOutput, checkReads, checkRegions } from "./cube-limits.ts";
import { sceneRead } from "./series.ts";

/** A job whose outputs are bands of a raster. */
export interface RasterWork {
  readonly kind: "raster";
  readonly grid: Grid;
  readonly job: CubeJob;
}

/** Jobs whose outputs are what expressions reduce, one an area. */
export interface NumbersWork {
  readonly kind: "numbers";
  readonly areas: readonly AreaWork[];
}

export interface AreaWork {
  readonly job: CubeJob;
  /** Of each task, of each output: the `reduced` expressions that are made of its numbers. */
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
 * @throws {ProblemError} `output-too-large` with the numbers; `pixel-too-large`.
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
  readonly #clips = new Map<Extent, Clip>();
  readonly #items: CubeItems;
  readonly #breaks: WorkBreaks;
  #values = 0;
  #steps = 0;

  constructor(plan: CubePlan, loads: readonly (LoadedTimes | undefined)[], breaks: WorkBreaks) {
    this.#plan = plan;
    this.#loads = loads;
    this.#items = new CubeItems(loads);
    this.#breaks = breaks;
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

  #clipOf(extent: Extent): Clip {
    const known = this.#clips.get(extent);
    if (known !== undefined) return known;
    const clip = clipOf(extent);
    this.#clips.set(extent, clip);
    return clip;
  }

  #raster({ grid: request, bands, format }: Extract<CubePlan["result"], { kind: "raster" }>) {
    const grid = cubeGrid(request, this.#items.cornersOf(request));
    checkOutput(grid, bands.length);
    const outputs = bands.map(({ value }) => value);
    const regions = this.#plan.regions.map((region) => this.#clipOf(region));
    const task = this.#task(
      outputs,
      outputs.map((): CubeOutput => ({ kind: "band" })),
      grid,
    );
    const job = this.#job(grid, regions, [task]);
    const is32Bit = format === "GTiff";
    const units = Math.max(0.005, this.#stepUnits([task], grid, false) * (is32Bit ? 2 : 1));
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
    checkAreaPixels([...byArea.keys()].map((number) => this.#plan.areas[number]!));
    let units = 0;
    const areas: AreaWork[] = [];
    for (const [number, own] of byArea) {
      await this.#breaks.take();
      const area = this.#plan.areas[number]!;
      const isOver = this.#items.over(area.geometry);
      // a part of a cube's grid has the cube's pixels, another grid those of the scenes over the area
      const corners = this.#items.cornersOf(area.grid, isPartOfCube(area.grid) ? undefined : isOver);
      const placed = areaGrid(area, corners);
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
    const regions = this.#plan.regions.map((extent) => this.#clipOf(extent));
    if (region !== undefined) regions.push(region);
    const counted = region === undefined ? {} : { region: regions.length - 1 };
    const groups = independentOutputs(values);
    const tasks: CubeTask[] = [];
    for (const numbers of groups) {
      await this.#breaks.take();
      const outputs = numbers.map((number) => values[number]!);
      const kinds = outputs.map(
        (value): CubeOutput => ({ kind: "numbers", ...counted, reducers: reducersOf(byValue.get(value)!) }),
      );
      tasks.push(this.#task(outputs, kinds, grid));
    }
    return {
      work: {
        job: this.#job(grid, regions, tasks),
        reduced: groups.map((numbers) => numbers.map((number) => byValue.get(values[number]!)!)),
      },
      cost: this.#stepUnits(tasks, grid, isPoint, isOver),
    };
  }

  #task(outputs: readonly Expression[], kinds: readonly CubeOutput[], { width, height }: Grid): CubeTask {
    const program = compileProgram(outputs, ({ load, time }: Pick<Input, "load" | "time">) => {
      const label = this.#loads[load]?.steps[time]?.label ?? "";
      return Date.parse(label) + load / 1000;
    });
    for (const step of program.steps) {
      if (step.kind !== "load") continue;
      this.#values += width * height * step.bands.length;
      this.#steps += 1;
    }
    checkReads({ values: this.#values, steps: this.#steps, rowValues: program.registers * width });
    return { program, outputs: kinds };
  }

  #job(grid: Grid, regions: readonly Clip[], tasks: readonly CubeTask[]): CubeJob {
    const used = usedSteps(tasks);
    const clips: Clip[] = [...regions];
    const loads = this.#loads.map((load, number): CubeLoad => {
      const read = used.get(number);
      if (load === undefined || read === undefined) return { clips: [], times: [] };
      const first = clips.length;
      clips.push(...load.load.extents.map((extent) => this.#clipOf(extent)));
      return {
        clips: load.load.extents.map((_, i) => first + i),
        times: load.steps.map((_, time) => (read.times.has(time) ? this.#scenes(number, time, read.bands) : [])),
      };
    });
    const job: CubeJob = { kind: "cube", grid: gridSpec(grid), loads, regions: clips, tasks };
    checkRegions(usedRegions(job).size, grid);
    return job;
  }

  /** The scenes of a time step, with a file for each band that is read. */
  #scenes(number: number, time: number, bands: ReadonlySet<number>): readonly CubeScene[] {
    const key = [number, time, ...bands].join();
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const load = this.#loads[number]!;
    const measures = measuresOf(load);
    const scenes = load.steps[time]!.items.flatMap((item) => {
      const parts = measures.map((measure, band) =>
        bands.has(band) ? sceneRead(item, measure, undefined) : undefined,
      );
      const fault = parts.find((part) => typeof part === "string");
      if (typeof fault === "string") {
        this.#missing.set(item.id, { id: item.id, reason: fault });
        return [];
      }
      const reads = parts.filter((part) => typeof part !== "string");
      const [first] = reads.filter((read) => read !== undefined);
      return [{ ...first!, files: reads.map((read) => read?.files[0]), validWhere: "any-file" as const }];
    });
    this.#reads.set(key, scenes);
    return scenes;
  }

  /** Units of all time steps that tasks load and that have scenes over the area; bands of classes cost nothing beside others. */
  #stepUnits(
    tasks: readonly CubeTask[],
    { width, height }: Grid,
    isPoint: boolean,
    isOver: (item: Item) => boolean = () => true,
  ): number {
    let units = 0;
    for (const { program } of tasks) {
      for (const step of program.steps) {
        if (step.kind !== "load" || !this.#loads[step.load]!.steps[step.time]!.items.some(isOver)) continue;
        const measures = measuresOf(this.#loads[step.load]!);
        const paid = step.bands.filter(({ band }) => measures[band]!.conversion === "physical").length;
        const bands = Math.max(1, paid);
        units += isPoint ? overpassUnits({ pixels: 1, bands }) : pixelUnits({ width, height, bands });
      }
    }
    return units;
  }
}

/** Time steps and bands of loads that programs read. */
function usedSteps(
  tasks: readonly CubeTask[],
): ReadonlyMap<number, { readonly times: ReadonlySet<number>; readonly bands: ReadonlySet<number> }> {
  const used = new Map<number, { readonly times: Set<number>; readonly bands: Set<number> }>();
  for (const { program } of tasks) {
    for (const step of program.steps) {
      if (step.kind !== "load") continue;
      const known = used.get(step.load) ?? { times: new Set(), bands: new Set() };
      known.times.add(step.time);
      for (const { band } of step.bands) known.bands.add(band);
      used.set(step.load, known);
    }
  }
  return used;
}

/** What has to be known of values for folds of them. */
function reducersOf(reduced: readonly ReducedExpression[]): readonly Reducer[] {
  const at = reduced.flatMap(({ fold }: { readonly fold: Fold }) =>
    fold.name === "quantile" ? [100 * (fold.at ?? 0.5)] : [],
  );
  return [{ kind: "moments" }, ...(at.length === 0 ? [] : [{ kind: "percentiles" as const, at }])];
}
