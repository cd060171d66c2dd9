import { expect, test } from "vitest";
import { OpenEoError } from "../src/errors.ts";
import { type CompileContext, compileGraph, findFaults } from "../src/index.ts";
import { compileProgram, independentOutputs } from "../src/program/program.ts";

const BANDS = Array.from({ length: 12 }, (_, i) => ({ name: `B${i}`, gsd: 10 }));
const TIMES = Array.from({ length: 1500 }, (_, i) => new Date(Date.UTC(2010, 0, 1 + 3 * i)).toISOString());
const CONTEXT: CompileContext = {
  collection: () => ({ bands: BANDS }),
  collections: ["s2"],
  times: () => TIMES,
};
const LOAD = {
  process_id: "load_collection",
  arguments: { id: "s2", spatial_extent: { west: 13, south: 45, east: 13.1, north: 45.1 }, temporal_extent: null },
};
/** The cost of refusing a graph at most, in times of compiling the largest one that is accepted: it takes about as long. */
const MAX_RATIO = 10;
const data = { from_parameter: "data" };
const x = { from_parameter: "x" };
const from = (id: string) => ({ from_node: id });
const callback = (nodes: Readonly<Record<string, unknown>>) => ({ process_graph: nodes });

/** Processor time of work, microseconds: the least of some runs, without what other work on the machine adds. */
function cost(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return user + system;
  });
  return Math.min(...runs);
}

/** Medians of all bands at some dates. */
const MEDIANS = {
  load: LOAD,
  median: {
    process_id: "reduce_dimension",
    arguments: {
      data: from("load"),
      dimension: "t",
      reducer: callback({ median: { process_id: "median", arguments: { data }, result: true } }),
    },
    result: true,
  },
};

/** The program of these medians. */
function compiled(times: readonly string[]) {
  const { result } = compileGraph(MEDIANS, { ...CONTEXT, times: () => times });
  const outputs = result.kind === "raster" ? result.bands.map(({ value }) => value) : [];
  return { outputs, ...compileProgram(outputs, ({ time }) => time) };
}

/** The cost of compiling the largest graph that is accepted. */
const largest = (): number => cost(() => void compiled(TIMES));

/** Makes a chain of this many additions. */
function chain(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `n${i}`,
      {
        process_id: "add",
        arguments: { x: i === 0 ? x : from(`n${i - 1}`), y: i / 7 },
        ...(i === count - 1 ? { result: true } : {}),
      },
    ]),
  );
}

const GRAPHS: Readonly<Record<string, unknown>> = {
  "a long callback for each of many cells": {
    load: LOAD,
    apply: { process_id: "apply", arguments: { data: from("load"), process: callback(chain(900)) }, result: true },
  },
  "thousands of intervals of everything": {
    load: LOAD,
    aggregate: {
      process_id: "aggregate_temporal",
      arguments: {
        data: from("load"),
        intervals: Array.from({ length: 4000 }, (_, i) => ["2010-01-01", `${2011 + (i % 10)}-01-01`]),
        labels: Array.from({ length: 4000 }, (_, i) => i),
        reducer: callback({ median: { process_id: "median", arguments: { data }, result: true } }),
      },
      result: true,
    },
  },
  "a cube that is merged with itself again and again": {
    load: LOAD,
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `m${i}`,
        {
          process_id: "merge_cubes",
          arguments: {
            cube1: from(i === 0 ? "load" : `m${i - 1}`),
            cube2: from("load"),
            overlap_resolver: callback({
              sum: { process_id: "add", arguments: { x, y: { from_parameter: "y" } }, result: true },
            }),
          },
          ...(i === 59 ? { result: true } : {}),
        },
      ]),
    ),
  },
};

/** Makes this many nodes after `load`, each of the one before. */
const nodes = (count: number, make: (data: unknown, i: number) => Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `n${i}`,
      { ...make(from(i === 0 ? "load" : `n${i - 1}`), i), ...(i === count - 1 ? { result: true } : {}) },
    ]),
  );
const triangle = (size: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [13, 45],
      [13 + size, 45],
      [13, 45 + size],
      [13, 45],
    ],
  ],
});
/** Makes a polygon of this many vertices. */
const circle = (count: number, radius: number) => {
  const ring = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [13 + radius * Math.cos(angle), 45 + radius * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
};

const MORE_GRAPHS: Readonly<Record<string, unknown>> = {
  "a cube that is filtered again and again": {
    load: LOAD,
    one: {
      process_id: "apply",
      arguments: { data: from("load"), process: callback({ one: { ...chain(1).n0, result: true } }) },
    },
    ...nodes(900, (cube, i) => ({
      process_id: "filter_bands",
      arguments: { data: i === 0 ? from("one") : cube, bands: BANDS.map(({ name }) => name) },
    })),
  },
  "hundreds of masks": {
    load: LOAD,
    ...nodes(900, (cube, i) => ({
      process_id: "mask_polygon",
      arguments: { data: cube, mask: triangle(0.001 * (i + 1)) },
    })),
  },
  "polygons of very many vertices": {
    load: LOAD,
    ...nodes(20, (cube, i) => ({
      process_id: "mask_polygon",
      arguments: { data: cube, mask: circle(5000, 0.01 + i / 1000) },
    })),
  },
  "polygons of very many vertices in a callback": {
    load: LOAD,
    apply: {
      process_id: "apply",
      arguments: {
        data: from("load"),
        process: callback({
          inner: LOAD,
          mask: { process_id: "mask_polygon", arguments: { data: from("inner"), mask: circle(9000, 0.01) } },
          one: { process_id: "add", arguments: { x, y: 1 }, result: true },
        }),
      },
      result: true,
    },
  },
  "hundreds of dimensions": {
    load: LOAD,
    ...nodes(900, (cube, i) => ({
      process_id: "add_dimension",
      arguments: { data: cube, name: `d${i}`, label: "a" },
    })),
  },
  "days of decades": {
    load: LOAD,
    days: {
      process_id: "aggregate_temporal_period",
      arguments: {
        data: from("load"),
        period: "day",
        reducer: callback({ mean: { process_id: "mean", arguments: { data }, result: true } }),
      },
      result: true,
    },
  },
  "thousands of numbers in a callback": {
    load: LOAD,
    apply: {
      process_id: "apply",
      arguments: {
        data: from("load"),
        process: callback({
          sum: {
            process_id: "sum",
            arguments: { data: [x, ...Array.from({ length: 5000 }, (_, i) => i)] },
            result: true,
          },
        }),
      },
      result: true,
    },
  },
};

test.each(Object.entries({ ...GRAPHS, ...MORE_GRAPHS }))("%s: faults are found at once", (_, graph) => {
  const spent = cost(() => {
    expect(findFaults(graph, CONTEXT).map(({ code }) => code)).toEqual(["ProcessGraphComplexity"]);
  });
  expect(spent).toBeLessThan(MAX_RATIO * largest());
});

test("a masked index of 1,500 dates by month compiles, and so do scaled bands of a year", () => {
  const load = (bands: readonly string[]) => ({ ...LOAD, arguments: { ...LOAD.arguments, bands } });
  const element = (index: number) => ({ process_id: "array_element", arguments: { data, index } });
  const monthly = {
    load: load(["B4", "B8"]),
    classes: load(["B9"]),
    bad: {
      process_id: "reduce_dimension",
      arguments: {
        data: from("classes"),
        dimension: "bands",
        reducer: callback({
          class: element(0),
          shadow: { process_id: "eq", arguments: { x: from("class"), y: 3 } },
          cloud: { process_id: "between", arguments: { x: from("class"), min: 8, max: 10 } },
          either: { process_id: "or", arguments: { x: from("shadow"), y: from("cloud") }, result: true },
        }),
      },
    },
    clear: { process_id: "mask", arguments: { data: from("load"), mask: from("bad") } },
    index: { process_id: "ndvi", arguments: { data: from("clear"), nir: "B8", red: "B4" } },
    months: {
      process_id: "aggregate_temporal_period",
      arguments: {
        data: from("index"),
        period: "month",
        reducer: callback({ median: { process_id: "median", arguments: { data }, result: true } }),
      },
      result: true,
    },
  };
  expect(compileGraph(monthly, CONTEXT).result).toMatchObject({ kind: "raster" });
  const scaled = {
    load: LOAD,
    scale: {
      process_id: "apply",
      arguments: {
        data: from("load"),
        process: callback({
          scale: {
            process_id: "linear_scale_range",
            arguments: { x, inputMin: 0, inputMax: 0.4, outputMax: 255 },
            result: true,
          },
        }),
      },
    },
    mean: {
      process_id: "reduce_dimension",
      arguments: {
        data: from("scale"),
        dimension: "t",
        reducer: callback({ mean: { process_id: "mean", arguments: { data }, result: true } }),
      },
      result: true,
    },
  };
  const year = { ...CONTEXT, times: () => TIMES.slice(0, 365) };
  expect(compileGraph(scaled, year).result).toMatchObject({ kind: "raster" });
});

test.each(Object.keys(GRAPHS))("%s is too complex, and that is said at once", (name) => {
  const spent = cost(() => expect(() => compileGraph(GRAPHS[name], CONTEXT)).toThrow(OpenEoError));
  expect(spent).toBeLessThan(MAX_RATIO * largest());
});

test("medians of all bands compile at a cost that grows no faster than the dates, up to 1,500", () => {
  const { outputs, registers, steps } = compiled(TIMES);
  expect(independentOutputs(outputs)).toHaveLength(1);
  expect([outputs.length, registers]).toEqual([12, 12 * 1500]);
  expect(steps.filter(({ kind }) => kind === "load")).toHaveLength(1500);
  // ten times the dates: with a square they would cost a hundred times as much
  const few = cost(() => void compiled(TIMES.slice(0, 150)));
  expect(largest()).toBeLessThan(40 * few);
});
