import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { FULL, testService } from "../tools/harness.ts";
import { slowTime } from "../tools/mutating.ts";
import { GRAPHS as FIRST } from "./graphs.ts";
import { MORE_GRAPHS } from "./more-graphs.ts";

const GRAPHS = { ...FIRST, ...MORE_GRAPHS };

const service = testService({}, { profile: FULL });

/** Longest time that a graph of the small areas here may take to be refused or computed, milliseconds. */
let slow: number;
beforeAll(async () => {
  const ask = async (graph: unknown): Promise<unknown> => (await send("/v1/openeo/result", graph)).arrayBuffer();
  slow = await slowTime(Object.values(GRAPHS).map((graph) => () => ask(graph)));
}, 600_000);

async function send(path: string, graph: unknown): Promise<Response> {
  return (await service).post(path, { process: { process_graph: graph } });
}

type Path = readonly (string | number)[];

/** Paths of all values in a value, itself included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))];
}

/** The value with another one at a path; `undefined` removes what is there. */
function replaced(value: unknown, path: Path, other: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return other;
  if (Array.isArray(value)) {
    const copy = value.map((each, i) => (String(i) === key ? replaced(each, rest, other) : each));
    return rest.length === 0 && other === undefined ? copy.filter((_, i) => String(i) !== key) : copy;
  }
  const copy = { ...(value as Record<string, unknown>) };
  if (rest.length === 0 && other === undefined) delete copy[key];
  else copy[key] = replaced(copy[key], rest, other);
  return copy;
}

/** Words that mean something in graphs, and values that break readers. */
const words = fc.constantFrom<unknown>(
  ...[
    "t",
    "bands",
    "x",
    "data",
    "B04",
    "SCL",
    "mean",
    "apply",
    "load",
    "save",
    "__proto__",
    "constructor",
    "",
    "2024-07-04",
  ],
  ...[0, -1, 1, 1e308, 1e-308, -0.5, 3, 100, 2_147_483_648],
  ...[true, false, null, [], {}, [null, null], { from_node: "load" }, { from_node: "save" }, { from_parameter: "x" }],
  { process_graph: {} },
  { process_graph: { a: { process_id: "absolute", arguments: { x: { from_parameter: "x" } }, result: true } } },
  { type: "Point", coordinates: [13.4761, 45.5272] },
  { type: "FeatureCollection", features: [] },
  { west: 13.4, south: 45.5, east: 13.41, north: 45.51 },
  { west: -180, south: -90, east: 180, north: 90 },
);
const edits = fc.array(
  fc.record({
    at: fc.nat(1e6),
    by: fc.oneof(words, fc.constant(undefined), fc.jsonValue({ maxDepth: 3 })),
  }),
  { minLength: 1, maxLength: 3 },
);
const mutated = fc.tuple(fc.constantFrom(...Object.values(GRAPHS)), edits).map(([graph, all]) =>
  all.reduce<unknown>((value, { at, by }) => {
    const paths = pathsOf(value);
    return replaced(value, paths[at % paths.length]!, by);
  }, graph),
);

async function answersInTime(path: string, graph: unknown): Promise<void> {
  const started = performance.now();
  const response = await send(path, graph);
  const { status } = response;
  await response.arrayBuffer();
  expect({ status, isBad: status >= 500 }).toEqual({ status, isBad: false });
  expect(performance.now() - started).toBeLessThan(slow);
}

test("a mutated graph is validated, whatever is wrong with it", { tags: ["OE11"], timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(mutated, (graph) => answersInTime("/v1/openeo/validation", graph)),
    { numRuns: 1500 },
  );
});

test("a random value is no graph, and no fault of the service", { tags: ["OE11"], timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())), (graph) =>
      answersInTime("/v1/openeo/result", graph),
    ),
    { numRuns: 300 },
  );
});

test("a mutated graph is computed or refused", { tags: ["OE11"], timeout: 1_200_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(mutated, (graph) => answersInTime("/v1/openeo/result", graph)),
    { numRuns: 300 },
  );
});
