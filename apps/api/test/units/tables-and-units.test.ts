import { rm } from "node:fs/promises";
import type { Item } from "@swath/catalog";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { monthlyItems, pagedCatalog, recordingRenderer, writeMonths } from "../own/monthly-archive.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

const SIDE = 64;
const MONTHS = [1, 2, 3];
const POINT = { type: "Point", coordinates: [15.003, 45.151] };

let directory: string;
beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: 64, months: MONTHS });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const monthly = (): Item[] => monthlyItems({ side: SIDE, months: MONTHS });

function over(items: readonly Item[]): Promise<TestService> {
  return testService(
    { catalog: pagedCatalog(items).catalog, renderer: recordingRenderer(directory).renderer },
    { profile: FULL },
  );
}

const statistics = (more: object = {}) => ({
  input: { bounds: { bbox: [15.001, 45.149, 15.005, 45.152] }, data: [{ type: "sentinel-2-l2a" }] },
  aggregation: { timeRange: { from: "2024-01-01", to: "2024-03-31" }, aggregationInterval: { of: "P1M" } },
  index: "ndvi",
  ...more,
});
const series = (more: object = {}) => ({
  geometry: POINT,
  datetime: "2024-01-01/2024-12-31",
  collections: ["sentinel-2-l2a"],
  index: "ndvi",
  ...more,
});

/** Rows of RFC 4180 text without quoted line ends. */
function rowsOf(text: string): string[][] {
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
      ),
    );
}

/** The items, of which the second one's red band is gone. */
const withGap = (): Item[] =>
  monthly().map((item) =>
    item.id === "month-2" ? { ...item, assets: { ...item.assets, B04: { href: "archive:gone.tif" } } } : item,
  );

describe("tables", () => {
  test("a series has seven columns, and a header that counts the rows whose scenes are left out", {
    tags: ["TS12"],
  }, async () => {
    const service = await over(withGap());
    const response = await service.post("/v1/timeseries", series({ format: "csv" }));
    const [head = [], ...rows] = rowsOf(await response.text());
    expect(head.join()).toBe("datetime,itemId,collection,platform,value,validFraction,harmonization");
    expect(rows.map((row) => row.length)).toEqual([7, 7, 7]);
    expect(rows.map((row) => row[4] === "")).toEqual([false, true, false]);
    expect(response.headers.get("X-Series-Problems")).toBe("1");
    expect(response.headers.get("X-Scenes-Skipped")).toBe("month-2");
  });

  test("statistics have a row for each interval and output, with the numbers of the JSON", {
    tags: ["ST20"],
  }, async () => {
    const service = await over(withGap());
    const body = statistics({
      index: undefined,
      bands: ["red", "nir"],
      calculations: { default: { percentiles: [50, 2.5] }, nir: { percentiles: [100] } },
    });
    const { data } = await (await service.post("/v1/statistics", body)).json();
    const response = await service.request("/v1/statistics", {
      method: "POST",
      headers: { "X-API-Key": "test-key", "Content-Type": "application/json", Accept: "text/csv" },
      body: JSON.stringify(body),
    });
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("Vary")).toContain("Accept");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const text = await response.text();
    expect(text.endsWith("\r\n")).toBe(true);
    const [head = [], ...rows] = rowsOf(text);
    expect(head.join()).toBe(
      "from,to,output,unit,min,max,mean,stDev,sampleCount,noDataCount,p2.5,p50.0,p100.0,itemIds,problem",
    );
    expect(rows).toHaveLength(6);
    const expected = data.flatMap(({ interval, outputs, itemIds, problem }: (typeof data)[number]) =>
      ["red", "nir"].map((name) => {
        const { unit, stats } = outputs[name];
        const { percentiles, ...numbers } = stats;
        return [
          ...[interval.from, interval.to, name, unit],
          ...Object.values(numbers),
          ...["2.5", "50.0", "100.0"].map((percent) => percentiles[percent]),
          itemIds.join(" "),
          problem?.detail,
        ].map((field) => String(field ?? ""));
      }),
    );
    expect(rows).toEqual(expected);
  });

  test("statistics are JSON for whoever likes it as much", { tags: ["ST20"] }, async () => {
    const service = await over(monthly());
    for (const accept of ["*/*", "application/json, text/csv", "text/csv;q=0.5, application/json"]) {
      const response = await service.request("/v1/statistics", {
        method: "POST",
        headers: { "X-API-Key": "test-key", "Content-Type": "application/json", Accept: accept },
        body: JSON.stringify(statistics()),
      });
      expect(response.headers.get("Content-Type")).toContain("application/json");
    }
  });
});

describe("units", () => {
  const landsat = (): Item[] =>
    monthly().map((item) => ({
      ...item,
      collection: "landsat-ot-l2",
      assets: {
        SR_B4: item.assets.B04!,
        SR_B5: item.assets.B08!,
        ST_B10: item.assets.B08!,
        QA_PIXEL: item.assets.SCL!,
      },
    }));
  const own = (more: object) => ({
    ...statistics(more),
    input: { bounds: { bbox: [15.001, 45.149, 15.005, 45.152] }, data: [{ type: "landsat-ot-l2" }] },
  });

  test.each([
    [{ bands: ["red"] }, "REFLECTANCE", { red: "REFLECTANCE" }, { SR_B4: "REFLECTANCE" }],
    [{ bands: ["lwir11"] }, "KELVIN", { lwir11: "KELVIN" }, { ST_B10: "KELVIN" }],
    [
      { bands: ["red", "lwir11"] },
      "REFLECTANCE",
      { red: "REFLECTANCE", lwir11: "KELVIN" },
      { SR_B4: "REFLECTANCE", ST_B10: "KELVIN" },
    ],
    [{ index: "ndvi" }, "REFLECTANCE", { ndvi: "1" }, { SR_B5: "REFLECTANCE", SR_B4: "REFLECTANCE" }],
    [{ expression: " lwir11 " }, "KELVIN", { expression: "KELVIN" }, { ST_B10: "KELVIN" }],
    [{ expression: "lwir11 - 273.15" }, "KELVIN", { expression: undefined }, { ST_B10: "KELVIN" }],
  ])("of statistics of %o are those of the values", { tags: ["ST19"] }, async (asked, units, outputs, bandUnits) => {
    const service = await over(landsat());
    const answer = await (await service.post("/v1/statistics", own({ index: undefined, ...asked }))).json();
    expect(answer).toMatchObject({ units, bandUnits });
    for (const [name, unit] of Object.entries(outputs)) expect(answer.data[0].outputs[name].unit).toBe(unit);
  });

  test("of digital numbers are DN, and of degrees Celsius CELSIUS", { tags: ["ST19"] }, async () => {
    const service = await over(landsat());
    for (const units of ["DN", "CELSIUS"]) {
      const body = own({ index: undefined, bands: ["lwir11"] });
      const data = [{ type: "landsat-ot-l2", processing: { units } }];
      const answer = await (await service.post("/v1/statistics", { ...body, input: { ...body.input, data } })).json();
      expect([answer.units, answer.data[0].outputs.lwir11.unit]).toEqual([units, units]);
    }
  });

  test.each([
    [{ index: "ndvi" }, "1", { nir: "REFLECTANCE", red: "REFLECTANCE" }],
    [{ index: undefined, expression: "lwir11" }, "KELVIN", { lwir11: "KELVIN" }],
    [{ index: undefined, expression: "lwir11 / red" }, undefined, { lwir11: "KELVIN", red: "REFLECTANCE" }],
  ])("of a series of %o are those of the values", { tags: ["ST19"] }, async (asked, unit, bandUnits) => {
    const service = await over(landsat());
    const body = series({ collections: ["landsat-ot-l2"], ...asked });
    const answer = await (await service.post("/v1/timeseries", body)).json();
    expect([answer.unit, answer.bandUnits]).toEqual([unit, bandUnits]);
  });
});

describe("X-Scenes-Skipped", () => {
  test("names 20 scenes, each once, and says how many more there are", { tags: ["ST22"] }, async () => {
    const [first] = monthly() as [Item];
    const items = Array.from({ length: 203 }, (_, i) => ({
      ...first,
      id: `scene-${String(i).padStart(3, "0")}`,
      properties: { ...first.properties, datetime: new Date(Date.UTC(2024, 0, 1) + i * 86_400_000).toISOString() },
      assets: { ...first.assets, B04: { href: "archive:gone.tif" } },
    }));
    const service = await over(items);
    const response = await service.post("/v1/timeseries", series());
    const named = response.headers.get("X-Scenes-Skipped")!.split(",");
    expect(named).toEqual([...items.slice(0, 20).map(({ id }) => id), "+183 more"]);
    const whole = { ...statistics(), aggregation: { timeRange: { from: "2024-01-01", to: "2024-12-31" } } };
    const { data } = await (await service.post("/v1/statistics", whole)).json();
    expect(data[0].problem.detail).toMatch(
      /^(Scene scene-\d+ was left out: [^.]+\. ){20}183 more scenes were left out\.$/,
    );
  });
});

describe("optical-sr", () => {
  const place = [13.2, 45.45, 13.22, 45.47];
  const times = { from: "2021-01-01", to: "2026-06-15" };
  const whole = {
    input: { bounds: { bbox: place }, data: [{ type: "optical-sr" }] },
    aggregation: { timeRange: times, aggregationInterval: { of: "P1Y" }, width: 16, height: 16 },
    index: "ndvi",
  };
  const point = { geometry: { type: "Point", coordinates: [13.21, 45.46] }, datetime: "2021-01-01/2026-06-15" };

  test("undetectable classes are those of each member that has scenes, in both routes", {
    tags: ["ST12"],
  }, async () => {
    const service = await testService({}, { profile: FULL });
    const exclude = ["nodata", "saturated_defective", "cloud", "cloud_shadow", "cirrus", "dark_terrain_shadow"];
    const of = async (path: string, body: object) => (await (await service.post(path, body)).json()).undetectable;
    const found = await of("/v1/statistics", { ...whole, cloudMask: { exclude } });
    expect(found).toEqual(await of("/v1/timeseries", { ...point, index: "ndvi", cloudMask: { exclude } }));
    expect(Object.keys(found)).toContain("landsat-ot-l2");
    for (const [id, classes] of Object.entries<string[]>(found)) {
      const document = await (await service.get(`/v1/collections/${id}`)).json();
      const capabilities: readonly string[] = document["svc:mask_capabilities"];
      expect([id, classes]).toEqual([id, exclude.filter((name) => name !== "nodata" && !capabilities.includes(name))]);
    }
    // the classification of Sentinel-2 has all of these classes
    expect(Object.keys(found)).not.toContain("sentinel-2-l2a");
    expect(found["landsat-ot-l2"]).toEqual(["saturated_defective", "dark_terrain_shadow"]);
  });

  test("its mask is that of its members: their sources, and what any of them can detect", {
    tags: ["OS18"],
  }, async () => {
    const service = await testService({}, { profile: FULL });
    const get = async (id: string) => (await service.get(`/v1/collections/${id}`)).json();
    const document = await get("optical-sr");
    const members = await Promise.all(document["svc:members"].map(get));
    expect(new Set(document["svc:mask_source"])).toEqual(new Set(members.map((each) => each["svc:mask_source"])));
    expect(document["svc:mask_source"].length).toBeGreaterThan(1);
    expect(new Set(document["svc:mask_capabilities"])).toEqual(
      new Set(members.flatMap((each) => each["svc:mask_capabilities"])),
    );
  });

  test("has no level `none`: stored numbers of different sensors mean different things", {
    tags: ["OS19"],
  }, async () => {
    const service = await testService({}, { profile: FULL });
    const timeRange = { from: "2024-07-01T00:00:00Z", to: "2024-07-31T00:00:00Z" };
    const data = [{ type: "optical-sr", dataFilter: { timeRange }, processing: { harmonize: "none" } }];
    for (const [path, body] of [
      ["/v1/statistics", { ...whole, harmonize: "none" }],
      ["/v1/timeseries", { ...point, index: "ndvi", harmonize: "none" }],
      ["/v1/process", { input: { bounds: { bbox: place }, data }, bands: ["red"], output: {} }],
    ] as const) {
      const response = await service.post(path, body);
      expect([path, response.status, (await response.json()).code]).toEqual([path, 422, "harmonize-unavailable"]);
    }
    const query = "lon=13.21&lat=45.46&datetime=2024-01-01/2024-12-31&index=ndvi&harmonize=none";
    expect((await service.get(`/v1/timeseries?${query}`)).status).toBe(422);
  });
});
