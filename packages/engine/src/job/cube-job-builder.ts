import type { Item } from "@swath/catalog";
import {
  type CubePlan,
  compileProgram,
  type Expression,
  type Input,
  type InputOf,
  independentOutputs,
  inOrder,
  OpenEoError,
  type Program,
  type ResampledExpression,
} from "@swath/openeo";
import { type Grid, sameCrs, windowGrid } from "@swath/raster";
import { usedRegions } from "../run/cube.ts";
import {
  type CubeJob,
  type CubeLoad,
  type CubeOutput,
  type CubeResampling,
  type CubeScene,
  type CubeTask,
  RESAMPLED,
} from "../run/cube-job.ts";
import type { CubeRegion } from "../run/cube-region.ts";
import { gridSpec } from "../run/scene-read.ts";
import { checkRegions, type ReadCounts } from "../what/cube-limits.ts";
import { type LoadedTimes, programsOf } from "../when/cube-items.ts";
import { sourceSpan } from "../when/cube-span.ts";
import { overpassUnits, pixelUnits } from "./cost.ts";

/** What jobs of one request are made of. */
export interface JobParts {
  readonly plan: CubePlan;
  readonly loads: readonly (LoadedTimes | undefined)[];
  /** Scenes of a time step, with a file for each band that is read. */
  readonly scenes: (load: number, time: number, bands: ReadonlySet<number>) => readonly CubeScene[];
  /** The grid of a number of the plan. */
  readonly gridOf: (number: number) => Grid;
  readonly regionOf: (load: number) => readonly CubeRegion[];
  readonly counts: ReadCounts;
}

/** Before all scenes, milliseconds. */
const EARLIEST = Number.MIN_SAFE_INTEGER;

/** What is known of the area whose pixels are computed. */
export interface BuiltArea {
  /** Whether it is the one pixel of a point. */
  readonly isPoint?: boolean;
  /** Whether an item may have pixels in it: a time step without such an item costs nothing. */
  readonly isOver?: (item: Item) => boolean;
}

/** Makes the job of one grid. */
export class CubeJobBuilder {
  readonly #parts: JobParts;
  readonly #grid: Grid;
  readonly #area: BuiltArea;
  readonly #resamplings: CubeResampling[] = [];
  /** Latest time of what a resampling takes. */
  readonly #latest: number[] = [];
  readonly #tasks: CubeTask[] = [];
  /** By the grid that programs are run on: what they load for an expression. */
  readonly #inputs = new Map<Grid, Map<number, Input>>();
  units = 0;

  constructor(parts: JobParts, grid: Grid, area: BuiltArea = {}) {
    this.#parts = parts;
    this.#grid = grid;
    this.#area = area;
  }

  /** Programs for the outputs, apart where they share no time step; numbers of the outputs of each. */
  groups(outputs: readonly Expression[]): readonly (readonly number[])[] {
    return independentOutputs(outputs, this.#resample(outputs, this.#grid));
  }

  /** @throws {ProblemError} `output-too-large` with the numbers. */
  addTask(outputs: readonly Expression[], kinds: readonly CubeOutput[]): void {
    const program = this.#compile(outputs, this.#grid, this.#resample(outputs, this.#grid));
    this.#tasks.push({ program, outputs: kinds });
  }

  /** @throws {ProblemError} `output-too-large` for too many regions. */
  build(regions: readonly CubeRegion[]): CubeJob {
    const { loads, scenes, regionOf } = this.#parts;
    const used = usedSteps([...this.#tasks, ...this.#resamplings].map(({ program }) => program));
    const clips: CubeRegion[] = [...regions];
    const planned = loads.map((load, number): CubeLoad => {
      const read = used.get(number);
      if (load === undefined || read === undefined) return { clips: [], times: [] };
      const own = regionOf(number);
      const first = clips.length;
      clips.push(...own);
      return {
        clips: own.map((_, i) => first + i),
        times: load.steps.map((_, time) => (read.times.has(time) ? scenes(number, time, read.bands) : [])),
      };
    });
    const job: CubeJob = {
      kind: "cube",
      grid: gridSpec(this.#grid),
      loads: planned,
      resamplings: this.#resamplings,
      regions: clips,
      tasks: this.#tasks,
    };
    checkRegions(usedRegions(job).size, this.#grid);
    return job;
  }

  /** Plans what comes from other grids, each expression once, and says how programs load it. */
  #resample(outputs: readonly Expression[], target: Grid): InputOf {
    const inputs = this.#inputs.get(target) ?? new Map<number, Input>();
    this.#inputs.set(target, inputs);
    const byGrid = new Map<string, ResampledExpression[]>();
    for (const each of inOrder(outputs)) {
      if (each.kind !== "resampled" || inputs.has(each.id)) continue;
      const key = `${each.from} ${each.method}`;
      byGrid.set(key, [...(byGrid.get(key) ?? []), each]);
    }
    for (const own of byGrid.values()) {
      for (const [id, input] of this.#resampleFrom(own, target)) inputs.set(id, input);
    }
    return ({ id }) => inputs.get(id)!;
  }

  /** Expressions of one grid and method: those that share time steps are computed together. */
  #resampleFrom(own: readonly ResampledExpression[], target: Grid): ReadonlyMap<number, Input> {
    const { from, method } = own[0]!;
    const source = this.#parts.gridOf(from);
    if (method === "sum" && !sameCrs(source.crs, target.crs)) {
      const message = `The method "sum" is served for pixels of one CRS alone, not from ${source.crs.name} to ${target.crs.name}.`;
      throw new OpenEoError("FeatureUnsupported", message);
    }
    const span = sourceSpan(source, target, method);
    const computed = windowGrid(source, span);
    const values = own.map(({ of }) => of);
    const inputOf = this.#resample(values, computed);
    const inputs = new Map<number, Input>();
    for (const numbers of independentOutputs(values, inputOf)) {
      const program = this.#compile(
        numbers.map((number) => values[number]!),
        computed,
        inputOf,
      );
      this.#parts.counts.addRow(span.rowPixels * numbers.length);
      const time = this.#resamplings.length;
      this.#resamplings.push({ grid: gridSpec(source), method, program, outputs: numbers.length });
      this.#latest.push(this.#latestOf(program));
      for (const [band, number] of numbers.entries()) inputs.set(own[number]!.id, { load: RESAMPLED, time, band });
    }
    return inputs;
  }

  #compile(outputs: readonly Expression[], grid: Grid, inputOf: InputOf): Program {
    const program = compileProgram(outputs, (input) => this.#timeOf(input), inputOf);
    const { width, height } = grid;
    const { counts, loads } = this.#parts;
    const { isPoint = false, isOver = () => true } = this.#area;
    counts.addRow(program.registers * width);
    for (const step of program.steps) {
      if (step.kind !== "load" || step.load === RESAMPLED) continue;
      counts.addStep(width * height * step.bands.length);
      const load = loads[step.load]!;
      if (!load.steps[step.time]!.items.some(isOver)) continue;
      const programs = programsOf(load);
      // bands of classes cost nothing beside others
      const paid = step.bands.filter(({ band }) => programs[band]!.conversion === "physical").length;
      const bands = Math.max(1, paid);
      this.units += isPoint ? overpassUnits({ pixels: 1, bands }) : pixelUnits({ width, height, bands });
    }
    counts.check();
    return program;
  }

  /** Where a time step is in the order of reading: that of time. */
  #timeOf({ load, time }: Pick<Input, "load" | "time">): number {
    if (load === RESAMPLED) return this.#latest[time]!;
    return Date.parse(this.#parts.loads[load]?.steps[time]?.label ?? "") + load / 1000;
  }

  #latestOf({ steps }: Program): number {
    const times = steps.map((step) => (step.kind === "load" ? this.#timeOf(step) : EARLIEST));
    return times.reduce((latest, time) => Math.max(latest, time), EARLIEST);
  }
}

/** Time steps and bands of loads that programs read. */
function usedSteps(
  programs: readonly Program[],
): ReadonlyMap<number, { readonly times: ReadonlySet<number>; readonly bands: ReadonlySet<number> }> {
  const used = new Map<number, { readonly times: Set<number>; readonly bands: Set<number> }>();
  for (const step of programs.flatMap(({ steps }) => steps)) {
    if (step.kind !== "load" || step.load === RESAMPLED) continue;
    const known = used.get(step.load) ?? { times: new Set(), bands: new Set() };
    known.times.add(step.time);
    for (const { band } of step.bands) known.bands.add(band);
    used.set(step.load, known);
  }
  return used;
}
