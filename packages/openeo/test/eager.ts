/**
 * Process graphs computed node by node on arrays of numbers, as the process definitions read: an interpreter that shares
 * nothing with the package, for small random graphs.
 */

/** Pixels of every cube here. */
export const PIXELS = 3;

interface Axis {
  readonly name: string;
  readonly labels: readonly (string | number)[];
}

/** Values of each pixel for each combination of labels, row-major. */
export interface EagerCube {
  readonly axes: readonly Axis[];
  readonly cells: readonly (readonly number[])[];
}

export interface EagerNode {
  readonly process_id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result?: boolean;
}
export type EagerGraph = Readonly<Record<string, EagerNode>>;

/** Refuses a graph. */
export class EagerFault extends Error {}
/** A filter leaves nothing: whether that is a fault depends on what is made of it, and when it is known. */
export class EagerEmpty extends Error {}

/** The contents of a collection: dates, and a value for each pixel. */
export interface Archive {
  readonly dates: readonly string[];
  readonly value: (date: string, band: string, pixel: number) => number;
}

type Environment = Readonly<Record<string, unknown>>;

export function computeEagerly(graph: EagerGraph, archive: Archive, environment: Environment = {}): unknown {
  const known = new Map<string, unknown>();
  const resolve = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    if ("from_node" in value) return result(String(value.from_node));
    if ("from_parameter" in value) return environment[String(value.from_parameter)];
    if ("process_graph" in value) {
      const callback = value.process_graph as EagerGraph;
      return (given: Environment) => computeEagerly(callback, archive, { ...environment, ...given });
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each)]));
  };
  const result = (id: string): unknown => {
    const node = graph[id]!;
    if (!known.has(id)) {
      const given = Object.fromEntries(Object.entries(node.arguments).map(([name, each]) => [name, resolve(each)]));
      const process = CUBES[node.process_id] ?? NUMBERS[node.process_id];
      if (process === undefined) throw new Error(`No process ${node.process_id}.`);
      known.set(id, process(given as Given, archive));
    }
    return known.get(id);
  };
  return result(Object.keys(graph).find((id) => graph[id]!.result === true) ?? "");
}

interface Given extends Record<string, unknown> {
  readonly data: EagerCube;
  readonly cube1: EagerCube;
  readonly cube2: EagerCube;
}
type Callback = (given: Environment) => unknown;

/** Positions of the labels of each cell. */
function positions(axes: readonly Axis[]): number[][] {
  return axes.reduce<number[][]>((all, { labels }) => all.flatMap((each) => labels.map((_, i) => [...each, i])), [[]]);
}

function cellAt({ axes, cells }: EagerCube, at: readonly number[]): readonly number[] {
  return cells[axes.reduce((sum, { labels }, i) => sum * labels.length + at[i]!, 0)]!;
}

/** A cube whose axis becomes the labels that are made of each line along it. */
function alongAxis(
  cube: EagerCube,
  name: string,
  labels: readonly (string | number)[],
  make: (line: readonly (readonly number[])[], label: number) => readonly number[],
): EagerCube {
  const axis = cube.axes.findIndex((each) => each.name === name);
  if (axis < 0) throw new EagerFault(`no ${name}`);
  const axes = cube.axes.map((each, i) => (i === axis ? { name, labels } : each));
  const cells = positions(axes).map((at) => {
    const line = cube.axes[axis]!.labels.map((_, k) =>
      cellAt(
        cube,
        at.map((own, i) => (i === axis ? k : own)),
      ),
    );
    return make(line, at[axis]!);
  });
  return { axes, cells };
}

const pixelByPixel = (make: (pixel: number) => unknown): number[] =>
  Array.from({ length: PIXELS }, (_, pixel) => numberOf(make(pixel)));

function numberOf(value: unknown): number {
  if (value === null || value === undefined) return Number.NaN;
  return typeof value === "boolean" ? Number(value) : (value as number);
}

function select(cube: EagerCube, name: string, keeps: (label: string | number) => boolean): EagerCube {
  const axis = cube.axes.find((each) => each.name === name);
  if (axis === undefined) throw new EagerFault(`no ${name}`);
  const kept = axis.labels.flatMap((label, i) => (keeps(label) ? [i] : []));
  if (kept.length === 0) throw new EagerEmpty();
  return alongAxis(
    cube,
    name,
    kept.map((i) => axis.labels[i]!),
    (line, i) => line[kept[i]!]!,
  );
}

function without(cube: EagerCube, name: string): EagerCube {
  return { axes: cube.axes.filter((each) => each.name !== name), cells: cube.cells };
}

const within = (label: string | number, [start, end]: readonly (string | null)[]): boolean => {
  const time = Date.parse(String(label));
  return (start == null || time >= Date.parse(start)) && (end == null || time < Date.parse(end));
};

const CUBES: Readonly<Record<string, (given: Given, archive: Archive) => unknown>> = {
  load_collection: ({ temporal_extent, bands }, { dates, value }) => {
    const labels = dates.filter((date) => within(date, temporal_extent as string[]));
    if (labels.length === 0) throw new EagerFault("no scene");
    const axes = [
      { name: "t", labels },
      { name: "bands", labels: bands as string[] },
    ];
    const cells = positions(axes).map(([t = 0, b = 0]) =>
      pixelByPixel((pixel) => value(labels[t]!, (bands as string[])[b]!, pixel)),
    );
    return { axes, cells };
  },
  filter_temporal: ({ data, extent }) => {
    const moments = (extent as (string | null)[]).filter((each) => each !== null);
    // a month is no moment
    if (moments.some((moment) => moment.length < 10)) throw new EagerFault("no time");
    return select(data, "t", (label) => within(label, extent as string[]));
  },
  filter_bands: ({ data, bands }) => {
    const own = data.axes.find(({ name }) => name === "bands")?.labels ?? [];
    if (!(bands as string[]).every((band) => own.includes(band))) throw new EagerFault("no band");
    return select(data, "bands", (label) => (bands as unknown[]).includes(label));
  },
  apply: ({ data, process }) => ({
    axes: data.axes,
    cells: data.cells.map((cell) => pixelByPixel((pixel) => (process as Callback)({ x: cell[pixel] }))),
  }),
  reduce_dimension: ({ data, dimension, reducer }) => {
    const name = String(dimension);
    const reduced = alongAxis(data, name, [0], (line) =>
      pixelByPixel((pixel) => (reducer as Callback)({ data: line.map((cell) => cell[pixel]) })),
    );
    return without(reduced, name);
  },
  aggregate_temporal_period: ({ data, reducer }) => {
    const axis = data.axes.find(({ name }) => name === "t");
    if (axis === undefined) throw new EagerFault("no t");
    const months = axis.labels.map((label) => String(label).slice(0, 7)).sort();
    const labels = monthsBetween(months[0]!, months.at(-1)!);
    return alongAxis(data, "t", labels, (line, month) =>
      pixelByPixel((pixel) => {
        const inside = line.filter((_, i) => String(axis.labels[i]).startsWith(labels[month]!));
        return (reducer as Callback)({ data: inside.map((cell) => cell[pixel]) });
      }),
    );
  },
  add_dimension: ({ data, name, label }) => {
    if (data.axes.some((axis) => axis.name === name)) throw new EagerFault("exists");
    return { axes: [...data.axes, { name: String(name), labels: [label as string] }], cells: data.cells };
  },
  drop_dimension: ({ data, name }) => {
    if (data.axes.find((axis) => axis.name === name)?.labels.length !== 1) throw new EagerFault("labels");
    return without(data, String(name));
  },
  dimension_labels: ({ data, dimension }) => {
    const axis = data.axes.find(({ name }) => name === dimension);
    if (axis === undefined) throw new EagerFault("no dimension");
    return axis.labels;
  },
  merge_cubes: ({ cube1, cube2, overlap_resolver }) => merged(cube1, cube2, overlap_resolver as Callback | undefined),
};

function monthsBetween(first: string, last: string): string[] {
  const [year = 0, month = 0] = first.split("-").map(Number);
  const next = (i: number): string => new Date(Date.UTC(year, month - 1 + i)).toISOString().slice(0, 7);
  const found: string[] = [];
  for (let i = 0; next(i) <= last; i++) found.push(next(i));
  return found;
}

function merged(first: EagerCube, second: EagerCube, resolver: Callback | undefined): EagerCube {
  const [wide, narrow] = first.axes.length >= second.axes.length ? [first, second] : [second, first];
  if (narrow.axes.some(({ name }) => wide.axes.every((axis) => axis.name !== name))) throw new EagerFault("dimensions");
  const named = (cube: EagerCube, name: string) => cube.axes.find((axis) => axis.name === name);
  const axes = wide.axes.map(({ name, labels }): Axis => {
    if (named(narrow, name) === undefined) return { name, labels };
    const all = [...new Set([...named(first, name)!.labels, ...named(second, name)!.labels])];
    return { name, labels: name === "t" ? all.sort() : all };
  });
  const differing = axes.filter(({ name, labels }) =>
    [first, second].some((cube) => (named(cube, name)?.labels.join() ?? labels.join()) !== labels.join()),
  );
  if (differing.length > 1) throw new EagerFault("labels differ");
  const find = (cube: EagerCube, at: readonly number[]): readonly number[] | undefined => {
    const own = cube.axes.map(({ name, labels }) => {
      const axis = axes.findIndex((each) => each.name === name);
      return labels.indexOf(axes[axis]!.labels[at[axis]!]!);
    });
    return own.includes(-1) ? undefined : cellAt(cube, own);
  };
  const cells = positions(axes).map((at) => {
    const [a, b] = [find(first, at), find(second, at)];
    if (a === undefined || b === undefined) return a ?? b ?? pixelByPixel(() => null);
    if (resolver === undefined) throw new EagerFault("overlap");
    return pixelByPixel((pixel) => resolver({ x: a[pixel], y: b[pixel] }));
  });
  return { axes, cells };
}

const valid = (data: unknown): number[] => (data as unknown[]).map(numberOf).filter((value) => !Number.isNaN(value));
const orNothing = (values: readonly number[], make: (values: readonly number[]) => number): number | null =>
  values.length === 0 ? null : make(values);

const NUMBERS: Readonly<Record<string, (given: Given) => unknown>> = {
  count: ({ data, condition }) => (condition === true ? (data as unknown as unknown[]).length : valid(data).length),
  sum: ({ data }) => orNothing(valid(data), (values) => values.reduce((a, b) => a + b)),
  mean: ({ data }) => orNothing(valid(data), (values) => values.reduce((a, b) => a + b) / values.length),
  max: ({ data }) => orNothing(valid(data), (values) => Math.max(...values)),
  first: ({ data }) => orNothing(valid(data), (values) => values[0]!),
  array_element: ({ data, index }) => {
    const found = (data as unknown as unknown[])[index as number];
    if (found === undefined) throw new EagerFault("no element");
    return found;
  },
  add: ({ x, y }) => numberOf(x) + numberOf(y),
  multiply: ({ x, y }) => numberOf(x) * numberOf(y),
  if: ({ value, accept, reject }) => (value === true || value === 1 ? accept : reject),
  gt: ({ x, y }) => (Number.isNaN(numberOf(x)) ? null : numberOf(x) > numberOf(y)),
};

/** Combinations of labels of a cube, joined. */
export const namesOf = ({ axes }: EagerCube): readonly string[] =>
  positions(axes).map((at) => at.map((i, axis) => axes[axis]!.labels[i]!).join("_") || "value");
