import { rm } from "node:fs/promises";
import type { Item } from "@swath/catalog";
import { CogError } from "@swath/cog";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import type { Services } from "../../src/operations/services.ts";
import { monthlyItems, pagedCatalog, recordingRenderer, writeMonths } from "../own/monthly-archive.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";

const SIDE = 512;
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
/** A point inside the scenes. */
const POINT = "lon=15.0203&lat=45.1407";
const QUERY = `${POINT}&datetime=2024-01-01/2024-12-31&collections=sentinel-2-l2a&index=ndvi`;

interface Row {
  readonly datetime: string;
  readonly itemId: string;
  readonly value: number | null;
  readonly validFraction: number | null;
  readonly problem?: { readonly code: string; readonly detail: string };
}
interface Answer {
  readonly count: number;
  readonly series: readonly Row[];
  readonly [member: string]: unknown;
}

let directory: string;
beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: 256, months: MONTHS });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const serving = (replaced: Partial<Services> = {}): Promise<TestService> => testService(replaced, { profile: FULL });
const monthly = (months = MONTHS): Item[] => monthlyItems({ side: SIDE, months });
const changed = (item: Item, properties: object, id = item.id): Item => ({
  ...item,
  id,
  properties: { ...item.properties, ...properties },
});

/** A service over some items, and what it reads. */
async function over(items: readonly Item[], fault?: { readonly onPage: number }) {
  const { catalog, searches } = pagedCatalog(items, fault);
  const { renderer, reads } = recordingRenderer(directory);
  return { service: await serving({ catalog, renderer }), searches, reads };
}

async function asked(service: TestService, query = QUERY): Promise<Answer> {
  const response = await service.get(`/v1/timeseries?${query}`);
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer as Answer;
}

describe("a point", () => {
  test("costs one walk through the search, at most three reads a file, and none when it is asked again", {
    tags: ["TS4"],
  }, async () => {
    const { service, searches, reads } = await over(monthly());
    const answer = await asked(service);
    expect(answer.series.map(({ itemId }) => itemId)).toEqual(MONTHS.map((month) => `month-${month}`));
    expect(searches).toEqual([0, 1, 2]);
    const files = new Map<string, number>();
    for (const { file } of reads) files.set(file, (files.get(file) ?? 0) + 1);
    expect(Math.max(...files.values())).toBeLessThanOrEqual(3);
    const before = reads.length;
    expect(await asked(service)).toEqual(answer);
    expect(reads).toHaveLength(before);
  });

  test("may have 15 years, its last day whole, and rows have the times of their items with all digits", async () => {
    const [first] = monthly([6]) as [Item];
    const { service } = await over([changed(first, { datetime: "2024-06-15T10:00:00.123456Z" })]);
    const { series } = await asked(service, QUERY.replace("2024-01-01/2024-12-31", "2009-07-01/2024-07-01"));
    expect(series.map(({ datetime }) => datetime)).toEqual(["2024-06-15T10:00:00.123456Z"]);
  });

  test("of a scene that the mask drops, no band is read, and its row stays with null", { tags: ["TS3"] }, async () => {
    const { service, reads } = await over(monthly());
    const { series } = await asked(service);
    const masked = series.filter(({ value }) => value === null);
    expect(masked.length).toBeGreaterThan(0);
    for (const { itemId, validFraction } of masked) {
      expect(validFraction).toBe(0);
      expect(reads.some(({ file }) => file === `B08-${itemId.slice(6)}.tif`)).toBe(false);
    }
    expect(series.length - masked.length).toBeGreaterThan(0);
  });

  test("items of one platform within ten minutes of the one before are one observation, the newest processing first", {
    tags: ["TS1"],
  }, async () => {
    const [first, second, third] = monthly([1, 2, 3]) as [Item, Item, Item];
    const at = (minute: number): object => ({
      platform: "sentinel-2a",
      datetime: `2024-06-01T10:${String(minute).padStart(2, "0")}:00Z`,
    });
    const items = [changed(first, at(0)), changed(second, at(9)), changed(third, at(18))];
    const { service } = await over(items);
    const without = `${QUERY}&exclude=`;
    expect((await asked(service, without)).series.map(({ itemId }) => itemId)).toEqual(["month-1"]);
    const tile = { "s2:mgrs_tile": "33TWL", "s2:processing_baseline": "05.09" };
    const newer = changed(second, { ...at(9), ...tile, "s2:processing_baseline": "05.11" });
    const again = await over([changed(first, { ...at(0), ...tile }), newer, changed(third, at(30))]);
    expect((await asked(again.service, without)).series.map(({ itemId }) => itemId)).toEqual(["month-2", "month-3"]);
  });

  test("an older processing does not come back because the newer one is too cloudy", { tags: ["TS2"] }, async () => {
    const [first, second] = monthly([1, 2]) as [Item, Item];
    const common = { platform: "sentinel-2a", datetime: "2024-06-01T10:00:00Z", "s2:mgrs_tile": "33TWL" };
    const older = changed(first, { ...common, "s2:processing_baseline": "05.00", "eo:cloud_cover": 1 });
    const newer = changed(second, { ...common, "s2:processing_baseline": "05.11", "eo:cloud_cover": 60 });
    const { service } = await over([older, newer]);
    expect((await asked(service, `${QUERY}&maxCloudCoverage=50`)).count).toBe(0);
    expect((await asked(service, QUERY)).count).toBe(1);
  });

  test("is CSV by format or Accept, which wins, and a PNG", { tags: ["TS5"] }, async () => {
    const { service } = await over(monthly());
    const { series } = await asked(service);
    for (const [query, headers] of [
      [`${QUERY}&format=csv`, {}],
      [`${QUERY}&format=json`, { Accept: "text/csv, application/json;q=0.5" }],
    ] as const) {
      const response = await service.get(`/v1/timeseries?${query}`, headers);
      expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
      expect(response.headers.get("Vary")).toContain("Accept");
      const [head, ...lines] = (await response.text()).split("\r\n");
      expect(head).toBe("datetime,itemId,collection,platform,value,validFraction,harmonization");
      expect(lines.pop()).toBe("");
      expect(lines.map((line) => line.split(",")[4])).toEqual(series.map(({ value }) => String(value ?? "")));
    }
    const chart = await service.get(`/v1/timeseries?${QUERY}&format=png`, { Accept: "*/*" });
    expect(chart.headers.get("Content-Type")).toBe("image/png");
    const { width, height } = await sharp(await chart.arrayBuffer()).metadata();
    expect([width, height]).toEqual([1200, 600]);
  });

  test("may be kept for an hour once its window ended five days ago", { tags: ["TS6"] }, async () => {
    const { service } = await over(monthly());
    const cacheOf = async (end: string): Promise<string | null> =>
      (
        await service.get(`/v1/timeseries?${POINT}&datetime=2024-01-01/${end}&collections=S2L2A&index=ndvi`)
      ).headers.get("Cache-Control");
    expect(await cacheOf("2024-12-31")).toBe("private, max-age=3600");
    expect(await cacheOf("2026-06-14")).toBe("no-store");
    expect(await cacheOf("..")).toBe("no-store");
  });
});

describe("a series of a GET", () => {
  const SETTLED = `/v1/timeseries?${QUERY}`;
  const etagOf = async (service: TestService, path: string, headers = {}): Promise<string> =>
    (await service.get(path, headers)).headers.get("ETag") ?? "none";

  test("has a strong ETag, and is 304 to who has it: scenes are searched, nothing is read", {
    tags: ["TS6"],
  }, async () => {
    const { service, reads } = await over(monthly());
    for (const path of [SETTLED, SETTLED.replace("2024-01-01/2024-12-31", "2024-01-01/..")]) {
      const etag = await etagOf(service, path);
      expect(etag).toMatch(/^"[^"]+"$/);
      reads.length = 0;
      const same = await service.get(path, { "If-None-Match": `"other", ${etag}` });
      expect([same.status, await same.text(), same.headers.get("ETag")]).toEqual([304, "", etag]);
      expect(same.headers.get("Vary")).toContain("Accept");
      expect(reads).toEqual([]);
      expect((await service.get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    }
  });

  test("has another ETag in another form, of other parameters and of other scenes", { tags: ["TS6"] }, async () => {
    const { service } = await over(monthly());
    const { service: fewer } = await over(monthly(MONTHS.slice(1)));
    const { service: processed } = await over(
      monthly().map((item) => changed(item, { updated: "2025-01-01T00:00:00Z" })),
    );
    const etags = [
      await etagOf(service, SETTLED),
      await etagOf(service, SETTLED, { Accept: "text/csv" }),
      await etagOf(service, `${SETTLED}&exclude=`),
      await etagOf(service, SETTLED.replace("45.1407", "45.1408")),
      await etagOf(fewer, SETTLED),
      await etagOf(processed, SETTLED),
    ];
    expect(new Set(etags).size).toBe(etags.length);
    expect(await etagOf(service, `${SETTLED}&format=csv`)).toBe(etags[1]);
    expect(await etagOf((await over(monthly())).service, SETTLED)).toBe(etags[0]);
  });

  test("that lacks a scene has none, and neither has that of a POST, nor statistics: they are not kept", {
    tags: ["TS6"],
  }, async () => {
    const gone = monthly().map((item) =>
      item.id === "month-4" ? { ...item, assets: { ...item.assets, SCL: { href: "archive:gone.tif" } } } : item,
    );
    const { service } = await over(gone);
    const point = { type: "Point", coordinates: [15.0203, 45.1407] };
    const common = { datetime: "2024-01-01/2024-03-31", collections: ["sentinel-2-l2a"], index: "ndvi" };
    for (const answer of [
      await service.get(SETTLED),
      await service.post("/v1/timeseries", { ...common, geometry: point }),
      await service.post("/v1/statistics", {
        input: { bounds: { bbox: [15.01, 45.13, 15.03, 45.14] }, data: [{ type: "sentinel-2-l2a" }] },
        aggregation: { timeRange: { from: "2024-01-01", to: "2024-02-28" }, aggregationInterval: { of: "P1M" } },
        index: "ndvi",
      }),
    ]) {
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
      expect([answer.headers.get("Cache-Control"), answer.headers.get("ETag")]).toEqual(["no-store", null]);
    }
  });
});

describe("a polygon", () => {
  const ring = [
    [15.005, 45.13],
    [15.03, 45.13],
    [15.03, 45.145],
    [15.005, 45.13],
  ];
  const body = {
    geometry: { type: "Polygon", coordinates: [ring] },
    datetime: "2024-01-01/2024-12-31",
    collections: ["sentinel-2-l2a"],
    index: "ndvi",
  };

  test("has the numbers of statistics by its reducer", { tags: ["TS7"] }, async () => {
    const { service } = await over(monthly());
    const statistics = await (
      await service.post("/v1/statistics", {
        input: { bounds: { geometry: body.geometry }, data: [{ type: "sentinel-2-l2a" }] },
        aggregation: { timeRange: { from: "2024-01-01", to: "2024-12-31" }, aggregationInterval: { of: "P1M" } },
        index: "ndvi",
        calculations: { default: { percentiles: [50] } },
      })
    ).json();
    for (const reducer of ["mean", "median", "min", "max"] as const) {
      const answer = (await (await service.post("/v1/timeseries", { ...body, reducer })).json()) as Answer;
      const expected = statistics.data.map(
        ({ outputs: { ndvi } }: { outputs: { ndvi: { stats: Record<string, number> & { percentiles: object } } } }) =>
          reducer === "median" ? Object.values(ndvi.stats.percentiles)[0] : ndvi.stats[reducer],
      );
      expect(answer.series.map(({ value }) => value)).toEqual(expected);
      const { sampleCount, noDataCount } = statistics.data[0].outputs.ndvi.stats;
      expect(answer.series[0]?.validFraction).toBe(1 - noDataCount / sampleCount);
    }
  });

  test("of more than 25 km² is refused with both numbers", { tags: ["TS8"] }, async () => {
    const { service } = await over(monthly());
    const far = [...ring.slice(0, 2), [15.03, 45.2], ring[0]];
    const response = await service.post("/v1/timeseries", {
      ...body,
      geometry: { type: "Polygon", coordinates: [[...far.slice(0, 1), [15.2, 45.13], ...far.slice(2)]] },
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "area-too-large",
      limits: { maxAreaKm2: 25, requestedAreaKm2: expect.closeTo(59.5, 0) },
    });
  });
});

describe("refused", () => {
  test.each([
    ["index and expression", `${QUERY}&expression=red`, 400, "expression"],
    ["neither", QUERY.replace("&index=ndvi", ""), 400, "index"],
    ["an unknown index", QUERY.replace("ndvi", "ndvl"), 400, "index"],
    ["more than 15 years", QUERY.replace("2024-01-01", "2009-12-30"), 400, "datetime"],
    [
      "15 years and a second",
      QUERY.replace("2024-01-01/2024-12-31", "2009-01-01T00:00:00Z/2024-01-01T00:00:01Z"),
      400,
      "datetime",
    ],
    ["no time", QUERY.replace("2024-01-01", "yesterday"), 400, "datetime"],
    ["a point off the Earth", QUERY.replace("lat=45.1407", "lat=95"), 400, "lat"],
    ["a class that is none", `${QUERY}&exclude=clouds`, 400, "exclude"],
    [
      "a collection beside its virtual one",
      `${QUERY},optical-sr`
        .replace("index=ndvi,optical-sr", "index=ndvi")
        .replace("sentinel-2-l2a", "sentinel-2-l2a,optical-sr"),
      400,
      "collections",
    ],
    ["a band that the collection lacks", QUERY.replace("index=ndvi", "expression=lwir11/red"), 422, "expression"],
    ["a level that is none", `${QUERY}&harmonize=best`, 400, "harmonize"],
    [
      "a level that the collection lacks",
      `${POINT}&datetime=2024-01-01/2024-12-31&collections=dem&expression=elevation&harmonize=nbar`,
      422,
      "harmonize",
    ],
    ["a level that a band of the index lacks", `${QUERY}&harmonize=nbar`, 422, "index"],
  ])("%s is refused", { tags: ["TS9"] }, async (_, query, status, pointer) => {
    const { service } = await over(monthly());
    const response = await service.get(`/v1/timeseries?${query}`);
    const problem = await response.json();
    expect([response.status, problem]).toMatchObject([status, { errors: [{ pointer }] }]);
  });

  test.each([
    ["", '""'],
    [" 15.02", '" 15.02"'],
    ["0x0f", '"0x0f"'],
    ["15,02", '"15,02"'],
    ["east", '"east"'],
    ["1e999", "Infinity"],
  ])("a longitude of %j is no number, and the answer repeats it", async (text, got) => {
    const { service } = await over(monthly());
    const query = QUERY.replace("lon=15.0203", `lon=${encodeURIComponent(text)}`);
    const { detail } = await (await service.get(`/v1/timeseries?${query}`)).json();
    expect(detail).toBe(`lon: Expected a number, got ${got}.`);
  });

  test.each([
    ["a number", { query: QUERY.replace(POINT, "lat=45.1407") }, "lon: Missing: expected a number."],
    [
      "a geometry",
      { body: { datetime: "2024-01-01/2024-12-31", index: "ndvi" } },
      "/geometry: Expected geometry or input.features, got neither.",
    ],
  ])("%s that is missing is said to be", async (_, { query = "", body }: { query?: string; body?: object }, detail) => {
    const { service } = await over(monthly());
    const response = await (body === undefined
      ? service.get(`/v1/timeseries?${query}`)
      : service.post("/v1/timeseries", body));
    expect([response.status, (await response.json()).detail]).toEqual([400, detail]);
  });

  test("of an interval that is too long the last day that it may have is said", async () => {
    const { service } = await over(monthly());
    const { detail } = await (await service.get(`/v1/timeseries?${QUERY.replace("2024-01-01", "2009-12-30")}`)).json();
    expect(detail).toBe(
      "datetime: The interval may have 15 years at most, from 2009-12-30 to 2024-12-30; it ends on 2024-12-31.",
    );
  });

  test("an unknown index is refused with the nearest one", { tags: ["TS9"] }, async () => {
    const { service } = await over(monthly());
    const detailOf = async (id: string): Promise<string> =>
      (await (await service.get(`/v1/timeseries?${QUERY.replace("ndvi", id)}`)).json()).detail;
    expect(await detailOf("ndvl")).toBe('index: No index is called "ndvl". Did you mean "ndvi"?');
    // those whose titles have a word of it come first
    expect(await detailOf("greenness")).toMatch(
      /^index: No index is called "greenness"\. There are gndvi \(Green normalized difference vegetation index\), cig \(/,
    );
    expect(await detailOf("qqqqqq")).toMatch(/There are ndvi \(Normalized difference vegetation index\), evi \(/);
  });

  test("lean has no time series", async () => {
    const lean = await testService({}, { profile: LEAN });
    expect((await lean.get(`/v1/timeseries?${QUERY}`)).status).toBe(404);
  });
});

describe("faults", () => {
  /** Time of a request that is held until the test lets it be over. */
  const DEADLINE_MS = 27_001;
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("a scene that can never be read has a row that names it, and the others their values", {
    tags: ["TS10"],
  }, async () => {
    const items = monthly().map((item) =>
      item.id === "month-4" ? { ...item, assets: { ...item.assets, SCL: { href: "archive:gone.tif" } } } : item,
    );
    const { service } = await over(items);
    const response = await service.get(`/v1/timeseries?${QUERY}`);
    const { series } = (await response.json()) as Answer;
    expect(series).toHaveLength(12);
    expect(series[3]).toMatchObject({
      itemId: "month-4",
      value: null,
      validFraction: null,
      problem: { code: "upstream-unavailable", detail: "Scene month-4 was left out: a file does not exist." },
    });
    expect(series.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("X-Scenes-Skipped")).toBe("month-4");
  });

  test("an upstream that fails in the middle of the walk is 503, and no file is read", { tags: ["TS10"] }, async () => {
    const { service, reads } = await over(monthly(), { onPage: 1 });
    const response = await service.get(`/v1/timeseries?${QUERY}`);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "7"]);
    expect(reads).toEqual([]);
  });

  test("a file that fails for now is 503 that names its scene; what was read is kept", { tags: ["TS10"] }, async () => {
    const { catalog } = pagedCatalog(monthly());
    let isDown = true;
    const { renderer, reads, groups } = recordingRenderer(directory, async (file) => {
      if (!isDown || file !== "SCL-12.tif") return;
      // once all others are read
      await expect.poll(() => groups.length).toBe(11);
      throw new CogError("unavailable", "503");
    });
    const service = await serving({ catalog, renderer });
    const response = await service.get(`/v1/timeseries?${QUERY}`);
    expect(response.status).toBe(503);
    expect((await response.json()).detail).toContain("month-12");
    isDown = false;
    reads.length = 0;
    expect((await asked(service)).count).toBe(12);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.map(({ file }) => file).filter((file) => !file.endsWith("-12.tif"))).toEqual([]);
  });

  test("a file that hangs is 504 whose detail says how much was read and what was not", {
    tags: ["TS10"],
  }, async () => {
    const { catalog } = pagedCatalog(monthly());
    const hanging: string[] = [];
    const { renderer, groups } = recordingRenderer(directory, async (file, signal) => {
      if (file !== "SCL-7.tif") return;
      hanging.push(file);
      await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    });
    const { deadline } = holdTimers({ deadline: DEADLINE_MS });
    const service = await serving({ catalog, renderer, http: { deadlineMs: DEADLINE_MS } });
    const answer = service.get(`/v1/timeseries?${QUERY}`);
    await expect.poll(() => [hanging.length > 0, groups.length]).toEqual([true, 11]);
    deadline.pass();
    const response = await answer;
    const { code, detail } = await response.json();
    expect([response.status, code]).toEqual([504, "render-timeout"]);
    expect(detail).toMatch(/11 of 12 overpasses were read\. The first that was not is month-7\./);
  });
});
