import { expect, test } from "vitest";
import { OpenEoError } from "../src/errors.ts";
import { type CompileContext, compileGraph } from "../src/index.ts";
import { compileProgram, independentOutputs } from "../src/program/program.ts";

const BANDS = Array.from({ length: 12 }, (_, i) => ({ name: `B${i}`, gsd: 10 }));
const TIMES = Array.from({ length: 1500 }, (_, i) => new Date(Date.UTC(2010, 0, 1 + 3 * i)).toISOString());
const CONTEXT: CompileContext = {
  collection: () => ({ bands: BANDS, defaultBands: BANDS.map(({ name }) => name) }),
  collections: ["s2"],
  times: () => TIMES,
};
const LOAD = {
  process_id: "load_collection",
  arguments: { id: "s2", spatial_extent: { west: 13, south: 45, east: 13.1, north: 45.1 }, temporal_extent: null },
};
/** Of the processor: several times what it takes. */
const MAX_MICROSECONDS = 3_000_000;
const data = { from_parameter: "data" };
const x = { from_parameter: "x" };
const from = (id: string) => ({ from_node: id });
const callback = (nodes: Readonly<Record<string, unknown>>) => ({ process_graph: nodes });

/** A chain of so many additions. */
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

test.each(Object.keys(GRAPHS))("%s is too complex, and that is said at once", (name) => {
  const started = process.cpuUsage();
  expect(() => compileGraph(GRAPHS[name], CONTEXT)).toThrow(OpenEoError);
  expect(process.cpuUsage(started).user).toBeLessThan(MAX_MICROSECONDS);
});

test("medians of 1,500 dates of all bands compile at once", () => {
  const graph = {
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
  const started = process.cpuUsage();
  const { result } = compileGraph(graph, CONTEXT);
  const outputs = result.kind === "raster" ? result.bands.map(({ value }) => value) : [];
  expect(independentOutputs(outputs)).toHaveLength(1);
  const { registers, steps } = compileProgram(outputs, ({ time }) => time);
  expect([outputs.length, registers]).toEqual([12, 12 * 1500]);
  expect(steps.filter(({ kind }) => kind === "load")).toHaveLength(1500);
  expect(process.cpuUsage(started).user).toBeLessThan(MAX_MICROSECONDS);
});
