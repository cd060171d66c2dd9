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
import { overpassUnits, pixelUnits } from "../limits/cost.ts";
import { checkRegions, type ReadCounts } from "../limits/limits.ts";
import type { Path } from "../refusal.ts";
import {
  type ComputeJob,
  type Group,
  type GroupOutput,
  type GroupRead,
  usedRegions,
} from "../run/compute/compute-job.ts";
import type { CubeRegion } from "../run/compute/cube-region.ts";
import { type FileRead, gridSpec, type SceneRead } from "../run/scene/scene-read.ts";
import { type LoadedTimes, programsOf } from "../when/cube-items.ts";
import { sourceSpan } from "../when/cube-span.ts";

/** Number of the load of programs whose time steps are values of other grids. */
const RESAMPLED = -1;

/** The reads of a scene: a file for each band of the load, nothing for one that no program takes. */
export interface CubeScene extends Omit<SceneRead, "files"> {
  readonly files: readonly (FileRead | undefined)[];
}

/** Values that are computed on another grid and resampled. */
interface CubeResampling extends Omit<Extract<GroupRead, { kind: "resampled" }>, "kind" | "reads" | "regions"> {
  /** Latest time of what it takes. */
  readonly latest: number;
}

/** Time steps that a program may load. */
interface CubeLoad {
  /** Numbers of the regions outside of which the load has no data. */
  readonly clips: readonly number[];
  /** The scenes of each time step; the first lies on top. */
  readonly times: readonly (readonly CubeScene[])[];
}

/** The inputs of the jobs of one request. */
export interface JobParts {
  readonly plan: CubePlan;
  readonly loads: readonly (LoadedTimes | undefined)[];
  /** Scenes of a time step, with a file for each band that is read. */
  readonly scenes: (load: number, time: number, bands: ReadonlySet<number>) => readonly CubeScene[];
  /** The grid of a number of the plan. */
  readonly gridOf: (number: number) => Grid;
  readonly regionOf: (load: number) => readonly CubeRegion[];
  readonly counts: ReadCounts;
  /** Path in the request of the node that gives the result. */
  readonly path: Path;
}

/** Before all scenes, milliseconds. */
const EARLIEST = Number.MIN_SAFE_INTEGER;

/** Facts about the area whose pixels are computed. */
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
  readonly #tasks: Pick<Group, "program" | "outputs">[] = [];
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

  /** @throws {Refusal} `output-too-large` with the numbers. */
  addTask(outputs: readonly Expression[], kinds: readonly GroupOutput[]): void {
    const program = this.#compile(outputs, this.#grid, this.#resample(outputs, this.#grid));
    this.#tasks.push({ program, outputs: kinds });
  }

  /** @throws {Refusal} `output-too-large` for too many regions. */
  build(regions: readonly CubeRegion[]): ComputeJob {
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
    const groups = this.#tasks.map(
      (task, i): Group => ({ id: String(i), ...task, reads: this.#readsOf(task.program, planned, clips) }),
    );
    checkRegions(usedRegions(groups).size, this.#grid);
    return { kind: "compute", grids: [{ parts: [{ grid: gridSpec(this.#grid) }], regions: clips, groups }] };
  }

  /**
   * Returns the reads of each load of a program: scenes with the files of the bands that it takes, or values of another
   * grid.
   */
  #readsOf({ steps }: Program, loads: readonly CubeLoad[], regions: readonly CubeRegion[]): readonly GroupRead[] {
    return steps.flatMap((step): GroupRead[] => {
      if (step.kind !== "load") return [];
      if (step.load === RESAMPLED) {
        const { source, method, program, outputs } = this.#resamplings[step.time]!;
        const reads = this.#readsOf(program, loads, regions);
        return [{ kind: "resampled", source, method, program, outputs, reads, regions }];
      }
      const { times, clips } = loads[step.load]!;
      const scenes = times[step.time]!.map((scene) => ({
        ...scene,
        files: step.bands.map(({ band }) => scene.files[band]!),
      }));
      return [{ kind: "scenes", scenes, clips }];
    });
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
      throw new OpenEoError("FeatureUnsupported", message, { path: [this.#parts.plan.resultNode] });
    }
    const span = sourceSpan(source, target, method, this.#parts.path);
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
      const latest = this.#latestOf(program);
      this.#resamplings.push({ source: gridSpec(source), method, program, outputs: numbers.length, latest });
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

  /** Returns the place of a time step in the order of reading: its time. */
  #timeOf({ load, time }: Pick<Input, "load" | "time">): number {
    if (load === RESAMPLED) return this.#resamplings[time]!.latest;
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
