import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeGeoTiff } from "@swath/encode";
import { type Grid, gridFromBounds, resolveCrs, type Samples, type Window } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ComputeWorkers, compute } from "../../../src/run/compute/compute.ts";
import {
  type ComputedRows,
  type ComputeJob,
  type GridGroups,
  type GridPart,
  type Group,
  type GroupOutput,
  mosaicGroup,
  type ReducedGroup,
  type ReducedOutput,
  type Reducer,
} from "../../../src/run/compute/compute-job.ts";
import { polygonTiles } from "../../../src/run/compute/counted-pixels.ts";
import { numbersOf } from "../../../src/run/compute/partial-numbers.ts";
import type { Renderer } from "../../../src/run/job.ts";
import { type FileRead, gridSpec, type MaskRead, type SceneRead } from "../../../src/run/scene/scene-read.ts";
import { inlineRenderer } from "../../../src/run/threads/inline-renderer.ts";
import { RenderPool } from "../../../src/run/threads/pool.ts";

const [WIDTH, HEIGHT] = [200, 160];
const [WEST, NORTH] = [500_000, 5_000_000];
const CRS = resolveCrs("EPSG:32633");
const GRID = gridFromBounds(CRS, [WEST, NORTH - 10 * HEIGHT, WEST + 10 * WIDTH, NORTH], WIDTH, HEIGHT);
const COARSE = gridFromBounds(CRS, [WEST, NORTH - 10 * HEIGHT, WEST + 10 * WIDTH, NORTH], WIDTH / 2, HEIGHT / 2);
const { signal } = new AbortController();
/** By numpy: see expected.py beside it, which makes the same rasters. */
const EXPECTED = JSON.parse(readFileSync(join(import.meta.dirname, "expected.json"), "utf8")) as Record<
  string,
  Partial<ReducedOutput>
>;

let directory: string;
let renderer: Renderer;
let pool: RenderPool;

/** Numerical Recipes' linear congruential generator. */
function noise(seed: number, count: number, low: number, high: number): Uint16Array {
  let state = seed;
  return Uint16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return low + ((state >>> 8) % (high - low));
  });
}

function band(seed: number, gap: number): Uint16Array {
  return noise(seed, WIDTH * HEIGHT, 1, 10_000).map((value, i) =>
    Math.floor(i / WIDTH) + (i % WIDTH) < gap ? 0 : value,
  );
}

async function write(name: string, grid: Grid, samples: Samples, nodata?: number): Promise<void> {
  const valid = Uint8Array.from(samples, (value) => (value === nodata ? 0 : 1));
  const bytes = await encodeGeoTiff(
    { grid, bands: [samples], valid },
    { blockSize: 128, ...(nodata === undefined ? {} : { nodata }) },
  );
  await writeFile(join(directory, `${name}.tif`), bytes);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-reduce-"));
  const masks = (WIDTH / 2) * (HEIGHT / 2);
  await write("red", GRID, band(1, 90), 0);
  await write("nir", GRID, band(2, 110), 0);
  await write("other-red", GRID, band(3, 0), 0);
  await write("other-nir", GRID, band(4, 0), 0);
  await write("classes", COARSE, Uint8Array.from(noise(5, masks, 0, 12)));
  const bits = noise(6, masks, 0, 1000).map((value) => (value < 4 ? 8 : value < 7 ? 16 : 64));
  await write("bits", COARSE, bits);
  const settings = {
    blockCacheBytes: 16 << 20,
    sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
  };
  renderer = inlineRenderer(settings);
  pool = new RenderPool({ threads: 2, settings: { render: settings } });
});
afterAll(async () => {
  await pool.close();
  await rm(directory, { recursive: true, force: true });
});

const SENTINEL = { scale: 0.0001, offset: -0.1 };
const LANDSAT = { scale: 0.000_027_5, offset: -0.2 };

function read(
  id: string,
  names: readonly string[],
  scaling: { readonly scale: number; readonly offset: number },
  mask?: MaskRead,
): SceneRead {
  const files = names.map(
    (name): FileRead => ({
      href: `archive:${name}.tif`,
      bands: [0],
      nodata: 0,
      conversion: { kind: "physical", ...scaling, nodata: 0 },
    }),
  );
  return {
    id,
    footprint: [],
    files,
    resampling: "nearest",
    overviews: "gdal",
    validWhere: "every-file",
    output: { sampleType: "float64", nodata: Number.NaN },
    ...(mask === undefined ? {} : { mask }),
  };
}

const CLASSES: MaskRead = {
  href: "archive:classes.tif",
  drop: { kind: "values", values: [0, 1, 2, 3, 7, 8, 9, 10, 11] },
};
const BITS: MaskRead = { href: "archive:bits.tif", drop: { kind: "bits", fields: [{ mask: 8 }, { mask: 16 }] } };
const GROWN: MaskRead = { ...BITS, dilate: { meters: 65, around: { kind: "bits", fields: [{ mask: 8 }] } } };
const ALL: MaskRead = { href: "archive:bits.tif", drop: { kind: "values", values: [8, 16, 64] } };
const TRIANGLE = {
  crs: CRS.name,
  polygon: {
    type: "Polygon" as const,
    coordinates: [
      [
        [WEST, NORTH],
        [WEST + 1605, NORTH],
        [WEST, NORTH - 1605],
        [WEST, NORTH],
      ],
    ],
  },
};

const NDVI = "(nir - red) / (nir + red)";
const upper = (mask: MaskRead): SceneRead => read("upper", ["red", "nir"], SENTINEL, mask);
interface Case extends Pick<GridPart, "clip"> {
  readonly bands: readonly string[];
  readonly scenes: readonly SceneRead[];
  readonly expression: string;
}
const CASES: Readonly<Record<string, Case>> = {
  "one band": { scenes: [read("red", ["red"], SENTINEL)], bands: ["red"], expression: "red" },
  "an index under a mask of classes": { scenes: [upper(CLASSES)], bands: ["red", "nir"], expression: NDVI },
  "an index under a mask of bits, dilated": { scenes: [upper(GROWN)], bands: ["red", "nir"], expression: NDVI },
  "a mosaic of two scenes, the upper one masked": {
    scenes: [upper(CLASSES), read("lower", ["other-red", "other-nir"], LANDSAT)],
    bands: ["red", "nir"],
    expression: NDVI,
  },
  "a polygon of a masked index": { scenes: [upper(BITS)], bands: ["red", "nir"], expression: NDVI, clip: TRIANGLE },
  "nothing but masked pixels": { scenes: [upper(ALL)], bands: ["red", "nir"], expression: NDVI, clip: TRIANGLE },
};

const REDUCERS: readonly Reducer[] = [
  { kind: "moments" },
  { kind: "extremes" },
  { kind: "percentiles", at: [0, 2, 25, 50, 98, 100] },
  { kind: "histogram", edges: [-0.2, 0, 0.25, 0.5, 0.75] },
  { kind: "first" },
];

function jobOf({ expression, scenes, bands, clip }: Case, reducers = REDUCERS, grid = GRID): ComputeJob {
  return {
    kind: "compute",
    grids: [
      {
        parts: [{ grid: gridSpec(grid), ...(clip === undefined ? {} : { clip }) }],
        groups: [mosaicGroup({ id: "group", scenes }, bands, [{ name: "value", expression, reducers }])],
      },
    ],
  };
}

/** The one group of a job. */
async function reduced(job: ComputeJob, by: Renderer = renderer): Promise<ReducedGroup> {
  const { groups } = await by.compute(job, { signal });
  expect(groups).toHaveLength(1);
  return groups[0]!;
}

function expectClose(found: unknown, expected: unknown, path: string): void {
  if (typeof expected === "number" && typeof found === "number") {
    const error = Math.abs(found - expected) / Math.max(1, Math.abs(expected));
    expect({ path, found, isClose: error <= 1e-12 }).toEqual({ path, found, isClose: true });
  } else if (typeof expected === "object" && expected !== null) {
    for (const [name, value] of Object.entries(expected)) {
      expectClose((found as Record<string, unknown>)[name], value, `${path}/${name}`);
    }
  } else expect({ path, found }).toEqual({ path, found: expected });
}

test.each(Object.entries(CASES))("%s: the numbers of numpy", { tags: ["ST1"] }, async (name, part) => {
  const { outputs } = await reduced(jobOf(part));
  expect(outputs).toHaveLength(1);
  expectClose(outputs[0], EXPECTED[name], "");
});

test("where no pixel is valid the numbers are null, and the counts are 0", async () => {
  const { outputs, used } = await reduced(jobOf(CASES["nothing but masked pixels"]!));
  expect(used).toEqual([]);
  expect(outputs[0]).toEqual({
    name: "value",
    pixels: EXPECTED["nothing but masked pixels"]!.pixels,
    count: 0,
    sum: 0,
    mean: null,
    standardDeviation: null,
    min: null,
    max: null,
    percentiles: [null, null, null, null, null, null],
    histogram: { edges: [-0.2, 0, 0.25, 0.5, 0.75], counts: [0, 0, 0, 0], below: 0, above: 0 },
    first: null,
  });
});

test("render threads reduce to the same numbers, to the last bit", async () => {
  for (const part of Object.values(CASES)) {
    const job = jobOf(part);
    expect(await pool.compute(job, { signal })).toEqual(await renderer.compute(job, { signal }));
  }
});

test("a grid of several strips gives the numbers of all its pixels", async () => {
  // each source pixel becomes 16 x 16 of the grid: every count is 256 times as large, and the mean stays
  const grid = gridFromBounds(CRS, [WEST, NORTH - 10 * HEIGHT, WEST + 10 * WIDTH, NORTH], 16 * WIDTH, 16 * HEIGHT);
  const job = jobOf(CASES["one band"]!, [{ kind: "moments" }, { kind: "first" }], grid);
  const { outputs } = await reduced(job, pool);
  const expected = EXPECTED["one band"]!;
  expect(outputs[0]).toMatchObject({ pixels: 256 * expected.pixels!, count: 256 * expected.count! });
  expectClose(
    outputs[0],
    { mean: expected.mean, standardDeviation: expected.standardDeviation, first: expected.first },
    "",
  );
});

test("a scene that cannot be read is named, and the others are reduced", async () => {
  const part = CASES["one band"]!;
  const job = jobOf({ ...part, scenes: [read("missing", ["nowhere"], SENTINEL), ...part.scenes] });
  const { outputs, used, skipped } = await reduced(job);
  expect({ used, skipped }).toEqual({
    used: ["red"],
    skipped: [{ id: "missing", reason: "a file does not exist", error: expect.stringContaining("nowhere") }],
  });
  expectClose(outputs[0], EXPECTED["one band"], "");
});

test("groups come in the order of the job, each with its own numbers, and are reported when they are done", async () => {
  const alone = Object.entries(CASES).filter(([, { bands, clip }]) => bands.length === 2 && clip === undefined);
  const [, first] = alone[0]!;
  const many = {
    ...jobOf(first),
    grids: [
      {
        parts: [{ grid: gridSpec(GRID) }],
        groups: Array.from({ length: 12 }, (_, i) => {
          const { scenes, bands, expression } = alone[i % alone.length]![1];
          return mosaicGroup({ id: `${i}`, scenes }, bands, [{ name: "value", expression, reducers: REDUCERS }]);
        }),
      },
    ],
  };
  const ids = many.grids[0]!.groups.map(({ id }) => id);
  for (const by of [renderer, pool]) {
    const reported: string[] = [];
    const { groups, pixels } = await by.compute(many, { signal, onGroup: ({ id }) => reported.push(id) });
    expect(pixels).toEqual([WIDTH * HEIGHT]);
    expect(groups.map(({ id }) => id)).toEqual(ids);
    expect(reported.toSorted()).toEqual(ids.toSorted());
    for (const [i, { outputs }] of groups.entries()) expectClose(outputs[0], EXPECTED[alone[i % alone.length]![0]], "");
  }
});

/** A job of single scenes: `groups` on each grid, of `side` × `side` pixels. */
function onGrids(bands: readonly string[], ...grids: readonly { readonly groups: number; readonly side: number }[]) {
  return {
    kind: "compute",
    grids: grids.map(({ groups, side }, i) => ({
      parts: [{ grid: { crs: CRS.name, transform: [10, 0, WEST, 0, -10, NORTH], width: side, height: side } }],
      groups: Array.from({ length: groups }, (_, k) =>
        mosaicGroup({ id: `${i}-${k}`, scenes: [read(`${i}-${k}`, bands, SENTINEL)] }, bands, [
          { name: "value", expression: bands[0] ?? "1", reducers: [{ kind: "moments" }] },
        ]),
      ),
    })),
  } satisfies ComputeJob;
}

/** Workers whose strips end when the test says so; `running` has the id of each scene in progress, by worker. */
function heldWorkers(count: number) {
  const running: { readonly id: string; readonly worker: number; readonly end: (error?: Error) => void }[] = [];
  const block: ComputeWorkers["block"] = ({ reads }, worker, options) =>
    new Promise((resolve, reject) => {
      const strip = {
        id: reads[0]!.kind === "scenes" ? reads[0]!.scenes[0]!.id : "",
        worker,
        end(error?: Error) {
          running.splice(running.indexOf(strip), 1);
          const parts = [numbersOf(Float64Array.of(1), undefined, [{ kind: "moments" }])];
          if (error === undefined) resolve({ parts, used: [], skipped: [] });
          else reject(error);
        },
      };
      running.push(strip);
      options.signal.addEventListener("abort", () => strip.end(options.signal.reason));
    });
  return { running, workers: { count, block } };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("groups on several grids have the numbers that they have alone, in the order of the job", async () => {
  const [one, other] = [CASES["one band"]!, { ...CASES["one band"]!, clip: TRIANGLE }];
  const coarse = jobOf(other, REDUCERS, COARSE);
  const job = { ...coarse, grids: [...jobOf(one).grids, ...coarse.grids.map((grid) => renamed(grid, "coarse"))] };
  for (const by of [renderer, pool]) {
    const [alone, aside] = [await by.compute(jobOf(one), { signal }), await by.compute(coarse, { signal })];
    expect(await by.compute(job, { signal })).toEqual({
      pixels: [...alone.pixels, ...aside.pixels],
      groups: [...alone.groups, ...aside.groups.map((group) => ({ ...group, id: "coarse" }))],
    });
  }
});

const renamed = (grid: GridGroups, id: string): GridGroups => ({
  ...grid,
  groups: grid.groups.map((group) => ({ ...group, id })),
});

describe("a polygon of which parts of a grid are read", () => {
  const triangle = { ...CASES["a polygon of a masked index"]!, clip: TRIANGLE };
  const [west, north, side] = [WEST + 20, NORTH - 20, 400];
  const rectangle = (x: number): [number, number][] => [
    [WEST + x, NORTH],
    [WEST + x + 805, NORTH],
    [WEST + x + 805, NORTH - 1600],
    [WEST + x, NORTH - 1600],
    [WEST + x, NORTH],
  ];
  const overlapping = {
    crs: CRS.name,
    polygon: {
      type: "MultiPolygon" as const,
      coordinates: [
        ...TRIANGLE.polygon.coordinates.map((ring) => [ring]),
        [
          [
            [west, north],
            [west + side, north],
            [west + side, north - side],
            [west, north - side],
            [west, north],
          ],
        ],
      ],
    },
  };

  /** Windows of `edge` × `edge` pixels. */
  function windowsOf(edge: number): Window[] {
    const windows: Window[] = [];
    for (let y = 0; y < HEIGHT; y += edge) {
      for (let x = 0; x < WIDTH; x += edge) {
        windows.push({ x, y, width: Math.min(edge, WIDTH - x), height: Math.min(edge, HEIGHT - y) });
      }
    }
    return windows;
  }

  function inParts(job: ComputeJob, parts: readonly GridPart[]): ComputeJob {
    return { ...job, grids: job.grids.map(({ groups }) => ({ parts, groups })) };
  }

  test.each([
    ["one polygon", TRIANGLE],
    ["polygons that overlap", overlapping],
  ])("has the numbers of the whole grid by windows of any size: %s", { tags: ["TS14"] }, async (_, clip) => {
    const job = jobOf({ ...triangle, clip });
    const expected = await reduced(job);
    for (const edge of [7, 64, 256]) {
      for (const by of [renderer, pool]) {
        const parts = [{ grid: gridSpec(GRID), clip, windows: windowsOf(edge) }];
        const { pixels, groups } = await by.compute(inParts(job, parts), { signal });
        expect(pixels).toEqual([expected.outputs[0]!.pixels]);
        expect(groups[0]!.used).toEqual(expected.used);
        const { first: _first, ...found } = groups[0]!.outputs[0]!;
        const { first: _same, ...whole } = expected.outputs[0]!;
        expectClose(found, whole, "");
      }
    }
  });

  test("is read by the tiles that it touches, and by no pixel more than it needs", async () => {
    const grid = { ...gridSpec(GRID), width: 1_000_000, height: 1_000_000 };
    const { windows, pixels } = polygonTiles(grid, TRIANGLE);
    expect([windows, pixels]).toEqual([[{ x: 0, y: 0, width: 160, height: 160 }], 12_880]);
    const job = jobOf(triangle);
    const { groups } = await renderer.compute(inParts(job, [{ grid, clip: TRIANGLE, windows }]), { signal });
    expectClose(groups[0]!.outputs[0], (await reduced(job)).outputs[0], "");
  });

  test("adds up over several grids", async () => {
    const job = jobOf(triangle);
    const halves = [0, 805].map((x): GridPart => {
      const clip = { crs: CRS.name, polygon: { type: "Polygon" as const, coordinates: [rectangle(x)] } };
      return { grid: gridSpec(GRID), clip };
    });
    const both = {
      crs: CRS.name,
      polygon: { type: "MultiPolygon" as const, coordinates: [[rectangle(0)], [rectangle(805)]] },
    };
    const whole = await reduced(jobOf({ ...triangle, clip: both }));
    const { pixels, groups } = await pool.compute(inParts(job, halves), { signal });
    expect(pixels).toEqual([whole.outputs[0]!.pixels]);
    const { first: _first, ...found } = groups[0]!.outputs[0]!;
    const { first: _same, ...expected } = whole.outputs[0]!;
    expectClose(found, expected, "");
  });
});

test("grids are read side by side, as many files at once as of one grid", async () => {
  // two bands: 48 strips of small grids are 96 files
  const { running, workers } = heldWorkers(2);
  const job = onGrids(["red", "nir"], { groups: 30, side: 10 }, { groups: 40, side: 20 });
  const result = compute(job, workers, { signal });
  const begun = new Set<string>();
  let most = 0;
  while (begun.size < 70 || running.length > 0) {
    await settle();
    for (const { id } of running) begun.add(id);
    most = Math.max(most, running.length);
    running[0]?.end();
  }
  expect(most).toBe(48);
  expect((await result).groups.map(({ id }) => id)).toEqual(
    [...job.grids[0]!.groups, ...job.grids[1]!.groups].map(({ id }) => id),
  );
});

test("values in progress are bounded over all grids: strips of a large one leave place for few of a small one", async () => {
  const { running, workers } = heldWorkers(1);
  // two values a pixel: a strip of 512 x 512 is a quarter of what a worker has in progress, one of 64 x 64 a 96th by its files
  const job = onGrids(["red"], { groups: 3, side: 512 }, { groups: 100, side: 64 });
  const result = compute(job, workers, { signal });
  await settle();
  const large = running.filter(({ id }) => id.startsWith("0-")).length;
  expect({ large, small: running.length - large }).toEqual({ large: 3, small: 24 });
  while (running.length > 0) {
    running[0]?.end();
    await settle();
  }
  expect((await result).groups).toHaveLength(103);
});

test("a strip that fails ends those of every grid, and no other begins", async () => {
  const { running, workers } = heldWorkers(1);
  const result = compute(onGrids(["red"], { groups: 60, side: 8 }, { groups: 60, side: 16 }), workers, { signal });
  await settle();
  expect(running).toHaveLength(96);
  running[70]!.end(new Error("broken"));
  await expect(result).rejects.toThrow("broken");
  expect(running).toEqual([]);
});

test("bins between the smallest and the largest value hold all of them", async () => {
  const part = CASES["one band"]!;
  const { outputs } = await reduced(jobOf(part, [{ kind: "extremes" }, { kind: "histogram", equal: { count: 7 } }]));
  const { min, max, count, histogram } = outputs[0]!;
  expect(histogram?.edges).toHaveLength(8);
  expect([histogram?.edges.at(0), histogram?.edges.at(-1)]).toEqual([min, max]);
  expect(histogram?.counts.reduce((sum, each) => sum + each)).toBe(count);
});

test.each([
  { where: "the upper scene has data", x: 1400, y: 1000, used: ["red"] },
  { where: "it has none", x: 100, y: 100, used: ["lower"] },
])(
  "of a polygon where $where, the scenes that give pixels inside are read and named, no others",
  async ({ x, y, used }) => {
    const [west, north] = [WEST + x, NORTH - y];
    const corners = [
      [west, north],
      [west + 195, north],
      [west, north - 195],
      [west, north],
    ] as const;
    const clip = {
      crs: CRS.name,
      polygon: { type: "Polygon" as const, coordinates: [corners.map(([a, b]) => [a, b])] },
    };
    const upper = read("red", ["red"], SENTINEL);
    const lower = read("lower", [used[0] === "red" ? "nowhere" : "other-red"], SENTINEL);
    const job = jobOf({ scenes: [upper, lower], bands: ["red"], expression: "red", clip });
    const found = await reduced(job);
    expect(found).toMatchObject({ used, skipped: [] });
    expect(found.outputs[0]).toMatchObject({ pixels: 190, count: 190 });
  },
);

/** NDVI of one scene as a program over its bands, as process graphs are compiled to. */
function ndviGroup(scenes: readonly SceneRead[], output: GroupOutput): Group {
  const apply = (operation: "add" | "subtract" | "divide", out: number, ...operands: number[]) =>
    ({ kind: "apply", operation, out, operands }) as const;
  return {
    id: "group",
    program: {
      registers: 3,
      steps: [
        { kind: "load", load: 0, time: 0, bands: [0, 1].map((band) => ({ band, register: band })) },
        apply("subtract", 2, 1, 0),
        apply("add", 0, 1, 0),
        apply("divide", 0, 2, 0),
        { kind: "emit", output: 0, from: 0 },
      ],
    },
    reads: [{ kind: "scenes", scenes }],
    outputs: [output],
  };
}

test("a program over bands and an expression over them give the same numbers, to the last bit", async () => {
  const part = CASES["a mosaic of two scenes, the upper one masked"]!;
  const job = jobOf(part);
  const groups = [ndviGroup(part.scenes, { kind: "numbers", name: "value", reducers: REDUCERS })];
  const program = { ...job, grids: job.grids.map((grid) => ({ ...grid, groups })) };
  for (const by of [renderer, pool]) expect(await reduced(program, by)).toEqual(await reduced(job, by));
});

test("rows of a raster come from the top whichever strip ends first, and few strips wait for those above them", async () => {
  const side = 4096;
  const running: { readonly y: number; readonly end: () => void }[] = [];
  let begun = 0;
  const block: ComputeWorkers["block"] = ({ windows }) =>
    new Promise((resolve) => {
      begun += 1;
      const { y, height } = windows[0]!.window;
      const bands = [new Float32Array(side * height).fill(y)];
      running.push({ y, end: () => resolve({ parts: bands, used: [], skipped: [] }) });
    });
  const job = onGrids(["red", "nir"], { groups: 1, side });
  const groups = [ndviGroup([read("scene", ["red", "nir"], SENTINEL)], { kind: "band" })];
  const rows: number[] = [];
  const onRows = async ({ bands, height }: ComputedRows): Promise<void> => {
    expect(bands[0]).toHaveLength(side * height);
    rows.push(bands[0]![0]!);
  };
  const result = compute(
    { ...job, grids: job.grids.map((grid) => ({ ...grid, groups })) },
    { count: 4, block },
    { signal, onRows },
  );
  await settle();
  // the strip on top ends last: the others wait for it, and no more of them than are in progress at once
  const top = running.shift()!;
  expect(top.y).toBe(0);
  while (running.length > 0) {
    running.pop()!.end();
    await settle();
  }
  expect([rows, begun]).toEqual([[], 8]);
  top.end();
  let isDone = false;
  void result.then(() => {
    isDone = true;
  });
  while (!isDone) {
    running.pop()?.end();
    await settle();
  }
  expect((await result).groups).toMatchObject([{ id: "group", outputs: [] }]);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  expect(rows).toHaveLength(32);
});
