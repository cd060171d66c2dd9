import { rm } from "node:fs/promises";
import type { Admission } from "@swath/accounts";
import { CogError } from "@swath/cog";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import type { Services } from "../../src/operations/services.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { monthlyItems, NORTH, pagedCatalog, recordingRenderer, WEST, writeMonths } from "../own/monthly-archive.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";

const SIDE = 512;
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
/** Bytes by which a file is opened. */
const HEADER = 32_768;

const UTM = { crs: "EPSG:32633" };
const BOX = [WEST, NORTH - 10 * SIDE, WEST + 10 * SIDE, NORTH];
const body = {
  input: { bounds: { bbox: BOX, properties: UTM }, data: [{ type: "sentinel-2-l2a" }] },
  aggregation: {
    timeRange: { from: "2024-01-01", to: "2024-12-31" },
    aggregationInterval: { of: "P1M" },
    resx: 10,
    resy: 10,
  },
  index: "ndvi",
  calculations: { default: { percentiles: [50] } },
};

interface Stats {
  readonly mean: number | null;
  readonly sampleCount: number;
  readonly noDataCount: number;
  readonly percentiles?: Record<string, number | null>;
}
interface Answer {
  readonly status: string;
  readonly data: readonly {
    readonly interval: { readonly from: string; readonly to: string };
    readonly outputs: Record<string, { stats: Stats; histogram?: { bins: unknown[] } }>;
    readonly itemIds: readonly string[];
    readonly problem?: { readonly code: string; readonly detail: string };
  }[];
  readonly undetectable: Readonly<Record<string, readonly string[]>>;
  readonly attribution: readonly string[];
  readonly units: string;
}

let directory: string;
beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: 256, months: MONTHS });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const serving = (replaced: Partial<Services>): Promise<TestService> => testService(replaced, { profile: FULL });
const monthly = (months = MONTHS) => monthlyItems({ side: SIDE, months });

async function asked(service: TestService, request: unknown): Promise<Answer> {
  const response = await service.post("/v1/statistics", request);
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer as Answer;
}

describe("twelve months", () => {
  // pixels of 5 m are reduced in two strips
  test.each([10, 5])(
    "at %i m: one walk through the search, one header a file, and each byte of a file once",
    { tags: ["ST7"] },
    async (pixel) => {
      const { catalog, searches } = pagedCatalog(monthly());
      const { renderer, reads } = recordingRenderer(directory);
      const aggregation = { ...body.aggregation, resx: pixel, resy: pixel };
      const answer = await asked(await serving({ catalog, renderer }), { ...body, aggregation });
      expect(answer.status).toBe("OK");
      expect(answer.data.map(({ itemIds }) => itemIds)).toEqual(MONTHS.map((month) => [`month-${month}`]));
      expect(searches).toEqual([0, 1, 2]);
      const files = [...new Set(reads.map(({ file }) => file))];
      expect(files).toHaveLength(36);
      for (const file of files) {
        const own = reads.filter((read) => read.file === file);
        expect([file, own.filter(({ offset }) => offset === 0).length]).toEqual([file, 1]);
        const rest = own.filter(({ offset }) => offset > 0).toSorted((a, b) => a.offset - b.offset);
        for (const [i, { offset }] of rest.entries()) {
          const before = i === 0 ? { offset: 0, length: 0 } : rest[i - 1]!;
          expect([file, before.offset + before.length <= offset]).toEqual([file, true]);
        }
      }
      expect(HEADER).toBe(reads.find(({ offset }) => offset === 0)?.length);
    },
  );

  test("an interval without scenes is there, with all pixels as nodata and null statistics", {
    tags: ["ST6"],
  }, async () => {
    const { catalog } = pagedCatalog(monthly([1, 3]));
    const { renderer } = recordingRenderer(directory);
    const { data, status } = await asked(await serving({ catalog, renderer }), {
      ...body,
      aggregation: { ...body.aggregation, timeRange: { from: "2024-01-01", to: "2024-03-20" } },
    });
    expect(status).toBe("OK");
    expect(data.map(({ interval }) => [interval.from, interval.to])).toEqual([
      ["2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z"],
      ["2024-02-01T00:00:00.000Z", "2024-03-01T00:00:00.000Z"],
      ["2024-03-01T00:00:00.000Z", "2024-03-20T23:59:59.999Z"],
    ]);
    const pixels = SIDE * SIDE;
    const nothing = { min: null, max: null, mean: null, stDev: null, percentiles: { "50.0": null } };
    expect(data[1]).toEqual({
      interval: expect.anything(),
      outputs: { ndvi: { unit: "1", stats: { ...nothing, sampleCount: pixels, noDataCount: pixels } } },
      itemIds: [],
    });
    expect(data[2]?.outputs.ndvi?.stats.mean).toBeGreaterThan(0.2);
  });

  test("an older processing does not come back where the newer one is masked, or too cloudy", async () => {
    const [first, second] = monthly([1, 2]).map((item, i) => ({
      ...item,
      properties: {
        datetime: "2024-06-01T10:00:00Z",
        platform: "sentinel-2a",
        "s2:mgrs_tile": "33TWL",
        "s2:processing_baseline": i === 0 ? "05.00" : "05.11",
        "eo:cloud_cover": i === 0 ? 1 : 60,
      },
    }));
    const { catalog } = pagedCatalog([first!, second!]);
    const { renderer } = recordingRenderer(directory);
    const service = await serving({ catalog, renderer });
    const { aggregationInterval: _, ...aggregation } = body.aggregation;
    const within = async (maxCloudCoverage: number): Promise<Answer["data"][number]> => {
      const data = [{ type: "S2L2A", dataFilter: { maxCloudCoverage } }];
      return (await asked(service, { ...body, aggregation, input: { ...body.input, data } })).data[0]!;
    };
    const whole = await within(100);
    expect(whole.itemIds).toEqual(["month-2"]);
    expect(whole.outputs.ndvi?.stats.noDataCount).toBeGreaterThan(0);
    const clear = await within(50);
    expect(clear.itemIds).toEqual([]);
    expect(clear.outputs.ndvi?.stats.noDataCount).toBe(SIDE * SIDE);
  });

  test("without a division there is one interval, a mosaic of its scenes in mosaicking order", {
    tags: ["ST5"],
  }, async () => {
    const { catalog } = pagedCatalog(monthly([2, 5]));
    const { renderer } = recordingRenderer(directory);
    const service = await serving({ catalog, renderer });
    const { aggregationInterval: _, ...aggregation } = body.aggregation;
    const mosaic = async (mosaickingOrder: string): Promise<Answer["data"][number]> => {
      const data = [{ type: "S2L2A", dataFilter: { mosaickingOrder } }];
      const answer = await asked(service, { ...body, aggregation, input: { ...body.input, data } });
      expect(answer.data).toHaveLength(1);
      return answer.data[0]!;
    };
    const [newest, oldest] = [await mosaic("mostRecent"), await mosaic("leastRecent")];
    expect(newest.itemIds).toEqual(["month-5", "month-2"]);
    expect(oldest.itemIds).toEqual(["month-2", "month-5"]);
    // pixels are counted once, however many scenes there are, and masked ones are filled by the scene below
    const alone = (await asked(service, body)).data.map(({ outputs }) => outputs.ndvi!.stats);
    for (const { outputs } of [newest, oldest]) {
      expect(outputs.ndvi?.stats.sampleCount).toBe(SIDE * SIDE);
      expect(outputs.ndvi?.stats.noDataCount).toBeLessThan(0.2 * alone[1]!.noDataCount);
    }
  });
});

describe("faults", () => {
  /** Time of a request that is held until the test lets it be over. */
  const DEADLINE_MS = 27_001;
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("a scene that cannot be read leaves the others, and its interval says so", { tags: ["ST8"] }, async () => {
    const items = monthly().map((item) =>
      item.id === "month-4" ? { ...item, assets: { ...item.assets, B08: { href: "archive:gone.tif" } } } : item,
    );
    const { catalog } = pagedCatalog(items);
    const { renderer } = recordingRenderer(directory);
    const { status, data } = await asked(await serving({ catalog, renderer }), body);
    expect(status).toBe("PARTIAL");
    expect(data.flatMap(({ problem }, i) => (problem === undefined ? [] : [i]))).toEqual([3]);
    expect(data[3]?.problem).toMatchObject({
      code: "upstream-unavailable",
      detail: "Scene month-4 was left out: a file does not exist.",
    });
    expect(data[3]?.outputs.ndvi?.stats).toMatchObject({ mean: null, noDataCount: SIDE * SIDE });
  });

  test("an item without a band or its mask is left out and named; a band that no item has is refused", {
    tags: ["ST8"],
  }, async () => {
    const lacks = (id: string, band: string) =>
      monthly().map((item) => {
        if (id !== "" && item.id !== id) return item;
        const { [band]: _, ...assets } = item.assets;
        return { ...item, assets };
      });
    const { renderer } = recordingRenderer(directory);
    for (const [band, code, reason] of [
      ["B08", "unknown-band", "it has no band B08"],
      ["SCL", "upstream-unavailable", "it has no file of its cloud mask"],
    ] as const) {
      const service = await serving({ catalog: pagedCatalog(lacks("month-7", band)).catalog, renderer });
      const { status, data } = await asked(service, body);
      expect(status).toBe("PARTIAL");
      expect(data[6]?.problem).toMatchObject({ code, detail: `Scene month-7 was left out: ${reason}.` });
    }
    const none = await serving({ catalog: pagedCatalog(lacks("", "B08")).catalog, renderer });
    const refused = await none.post("/v1/statistics", body);
    expect([refused.status, await refused.json()]).toEqual([422, expect.objectContaining({ code: "unknown-band" })]);
  });

  test("a file whose host does not answer for a while is an error that names the scene", {
    tags: ["ST8"],
  }, async () => {
    const { catalog } = pagedCatalog(monthly());
    const { renderer } = recordingRenderer(directory, async (file) => {
      if (file === "B04-9.tif") throw new CogError("unavailable", "503");
    });
    const response = await (await serving({ catalog, renderer })).post("/v1/statistics", body);
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        code: "upstream-unavailable",
        detail: "Scene month-9 could not be read: the archive did not send a file.",
      }),
    ]);
  });

  test("a page of the search that fails is an error, never a part of the scenes", { tags: ["ST8"] }, async () => {
    const { catalog } = pagedCatalog(monthly(), { onPage: 1 });
    const { renderer, reads } = recordingRenderer(directory);
    const response = await (await serving({ catalog, renderer })).post("/v1/statistics", body);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "7"]);
    expect(reads).toEqual([]);
  });

  test("a file that hangs ends in 504, which says how much was read", { tags: ["ST8"] }, async () => {
    const { catalog } = pagedCatalog(monthly());
    const aborted: string[] = [];
    const hanging: string[] = [];
    const { renderer, groups } = recordingRenderer(directory, async (file, signal) => {
      if (file !== "B04-12.tif") return;
      hanging.push(file);
      await new Promise((_, reject) =>
        signal?.addEventListener("abort", () => {
          aborted.push(file);
          reject(signal.reason);
        }),
      );
    });
    const { deadline } = holdTimers({ deadline: DEADLINE_MS });
    const service = await serving({ catalog, renderer, http: { deadlineMs: DEADLINE_MS } });
    const answer = service.post("/v1/statistics", {
      ...body,
      input: { ...body.input, bounds: { bbox: [WEST, NORTH - 1000, WEST + 1000, NORTH], properties: UTM } },
    });
    await expect.poll(() => [hanging.length > 0, groups.length]).toEqual([true, 11]);
    deadline.pass();
    const response = await answer;
    const problem = (await response.json()) as { code: string; detail: string };
    expect([response.status, problem.code]).toEqual([504, "render-timeout"]);
    expect(problem.detail).toContain("11 of 12 intervals with scenes were read.");
    expect(aborted).toContain("B04-12.tif");
  });

  test("a client that closes the connection ends the reads", { tags: ["ST8"] }, async () => {
    const { catalog } = pagedCatalog(monthly());
    let ended = false;
    let start = (): void => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const { renderer } = recordingRenderer(
      directory,
      (_, signal) =>
        new Promise((_resolve, reject) => {
          start();
          signal?.addEventListener("abort", () => {
            ended = true;
            reject(signal.reason);
          });
        }),
    );
    const service = await testService({ catalog, renderer }, { profile: FULL, check: false });
    const client = new AbortController();
    const answer = service.request("/v1/statistics", {
      method: "POST",
      headers: { "X-API-Key": "test-key", "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: client.signal,
    });
    await started;
    client.abort();
    expect((await answer).status).toBe(499);
    await expect.poll(() => ended).toBe(true);
  });
});

describe("requests", () => {
  let service: TestService;
  let costs: number[];
  beforeAll(async () => {
    const { catalog } = pagedCatalog(monthly());
    const { renderer } = recordingRenderer(directory);
    costs = [];
    const admission: Admission = {
      arrive: async () => {},
      admit: async (_, { cost }) => {
        costs.push(cost);
        return { charge: async () => undefined, release: async () => {} };
      },
    };
    service = await testService(
      { catalog, renderer },
      { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
    );
  });

  const square = (size: number): unknown => ({
    bounds: { bbox: [WEST, NORTH - size, WEST + size, NORTH], properties: UTM },
    data: [{ type: "sentinel-2-l2a" }],
  });
  const times = (part: object): object => ({ aggregation: { ...body.aggregation, ...part } });
  const of = (text: string): object => times({ aggregationInterval: { of: text } });
  const data = (part: object): object => ({ input: { ...body.input, data: [{ type: "sentinel-2-l2a", ...part }] } });
  const histogram = (settings: object): object => ({ calculations: { default: { histogram: settings } } });

  test.each([
    ["an unknown member", { sum: 1 }, 400, "/sum"],
    ["an unknown collection", data({ type: "sentinel-9" }), 404, "/input/data/0/type"],
    ["bands and index", { bands: ["red"] }, 400, "/index"],
    ["neither", { index: undefined }, 400, ""],
    ["an unknown index", { index: "ndiv" }, 400, "/index"],
    ["an unknown band", { index: undefined, bands: ["red", "purple"] }, 422, "/bands/1"],
    ["an unknown band in an expression", { index: undefined, expression: "red / purple" }, 422, "/expression"],
    ["an expression that does not parse", { index: undefined, expression: "red /" }, 400, "/expression"],
    ["an expression without bands", { index: undefined, expression: "1 + 1" }, 400, "/expression"],
    ["no duration", of("monthly"), 400, "/aggregation/aggregationInterval/of"],
    ["a duration of nothing", of("P0D"), 400, "/aggregation/aggregationInterval/of"],
    ["times that are none", times({ timeRange: { from: "May", to: "2024" } }), 400, "/aggregation/timeRange/from"],
    [
      "a range backwards",
      times({ timeRange: { from: "2024-02-01", to: "2024-01-01" } }),
      400,
      "/aggregation/timeRange",
    ],
    ["resx alone", times({ resy: undefined }), 400, "/aggregation/resy"],
    ["resx and width", times({ width: 5 }), 400, "/aggregation"],
    [
      "units that the collection lacks",
      data({ processing: { units: "KELVIN" } }),
      422,
      "/input/data/0/processing/units",
    ],
    ["an index of stored numbers", data({ processing: { units: "DN" } }), 422, "/input/data/0/processing/units"],
    ["classes as reflectance", { index: undefined, bands: ["SCL"] }, 422, "/bands/0"],
    ["an unknown mask class", { cloudMask: { exclude: ["fog"] } }, 400, "/cloudMask/exclude/0"],
    ["a dilation beyond the range", { cloudMask: { dilate_m: 601 } }, 400, "/cloudMask/dilate_m"],
    ["an unknown level", { harmonize: "all" }, 400, "/harmonize"],
    ["a calculation of no output", { calculations: { evi: {} } }, 400, "/calculations/evi"],
    ["bins of two kinds", histogram({ nBins: 5, binWidth: 1 }), 400, "/calculations/default/histogram"],
    ["bins that do not ascend", histogram({ bins: [0, 1, 1] }), 400, "/calculations/default/histogram/bins/2"],
    ["an edge beyond all numbers", histogram({ bins: [0, 1.7e308] }), 400, "/calculations/default/histogram/bins/1"],
    [
      "bins of a range beyond all numbers",
      histogram({ nBins: 3, lowEdge: -1.7e308, highEdge: 1.7e308 }),
      400,
      "/calculations/default/histogram/lowEdge",
    ],
    [
      "a percentile of 101",
      { calculations: { default: { percentiles: [101] } } },
      400,
      "/calculations/default/percentiles/0",
    ],
  ])("%s: a problem that names it", { tags: ["ST11"] }, async (_, part, status, pointer) => {
    const response = await service.post("/v1/statistics", { ...body, ...part });
    const problem = (await response.json()) as { errors?: { pointer: string }[] };
    expect([response.status, problem.errors?.[0]?.pointer]).toEqual([status, pointer]);
  });

  test("a fault of the whole body has no pointer in its words", async () => {
    const response = await service.post("/v1/statistics", { ...body, index: undefined });
    expect(await response.json()).toMatchObject({
      detail: "Expected bands, index or expression, got none.",
      errors: [{ pointer: "" }],
    });
  });

  test.each([
    ["pixels a side", { input: square(25_010) }, { maxOutputWidth: 2500, requestedWidth: 2501 }],
    ["bins", histogram({ binWidth: 5e-324 }), { maxBins: 10_000, requestedBins: Number.MAX_SAFE_INTEGER }],
    ["intervals", of("PT12H"), { maxIntervals: 400, requestedIntervals: 732 }],
    [
      "values",
      { input: square(25_000), index: undefined, bands: ["red", "nir", "blue"] },
      { maxValuesTimesDates: 200_000_000, requestedValuesTimesDates: 225_000_000 },
    ],
  ])("too many %s are refused with the numbers", { tags: ["ST9"] }, async (_, part, limits) => {
    const response = await service.post("/v1/statistics", { ...body, ...part });
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ code: "output-too-large", limits: expect.objectContaining(limits) }),
    ]);
  });

  test("the cost is that of the plan: pixels, bands and dates", { tags: ["ST10"] }, async () => {
    costs.length = 0;
    await asked(service, { ...body, input: square(2560) });
    await asked(service, { ...body, input: square(100) });
    expect(costs).toEqual([(256 * 256 * 10_000 * 2 * 12) / (262_144 * 3), 100]);
  });

  test("what is computed is named as it was asked for, and every output has its own calculations", {
    tags: ["ST2"],
  }, async () => {
    const answer = await asked(service, {
      ...body,
      input: square(1000),
      index: undefined,
      bands: ["red", "B08"],
      calculations: { default: { percentiles: [5, 99.5] }, B08: { histogram: { bins: [0.1, 0.2, 0.4] } } },
    });
    const { red, B08 } = answer.data[0]!.outputs;
    expect(Object.keys(red!.stats.percentiles!)).toEqual(["5.0", "99.5"]);
    expect(red!.histogram).toBeUndefined();
    expect(B08!.stats.percentiles).toBeUndefined();
    expect(B08!.histogram?.bins).toHaveLength(2);
    expect(answer).toMatchObject({
      units: "REFLECTANCE",
      undetectable: {},
      attribution: ["Contains modified Copernicus Sentinel data 2024"],
    });
  });

  test("classes that the mask's source cannot detect are named", { tags: ["ST12"] }, async () => {
    const exclude = ["cloud", "cloud_adjacent", "nodata"];
    const answer = await asked(service, { ...body, input: square(1000), cloudMask: { exclude } });
    expect(answer.undetectable).toEqual({ "sentinel-2-l2a": ["cloud_adjacent"] });
  });

  test("pixels belong to a polygon by their centres, and bands to the grid of the UTM zone", {
    tags: ["ST4"],
  }, async () => {
    const polygon = {
      type: "Polygon",
      coordinates: [
        [
          [WEST + 1, NORTH - 1],
          [WEST + 101, NORTH - 1],
          [WEST + 1, NORTH - 101],
          [WEST + 1, NORTH - 1],
        ],
      ],
    };
    const { aggregation } = body;
    const { resx: _, resy: __, ...native } = aggregation;
    const input = { ...body.input, bounds: { geometry: polygon, properties: UTM } };
    for (const each of [aggregation, native]) {
      const { data: rows } = await asked(service, { ...body, input, aggregation: each, cloudMask: { exclude: [] } });
      expect(rows[0]?.outputs.ndvi?.stats).toMatchObject({ sampleCount: 55, noDataCount: 0 });
    }
  });

  test("lean v1 does not serve it", { tags: ["ST11"] }, async () => {
    const lean = await testService({}, { profile: LEAN });
    expect((await lean.post("/v1/statistics", body)).status).toBe(404);
  });
});
