import { ProblemError } from "@swath/problem";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { fromUnits, toUnits } from "../src/metering/units.ts";
import { fullProfile } from "../src/profiles/full.ts";
import type { Services } from "../src/services.ts";
import type { SpendingStop } from "../src/spending/stop.ts";
import { FULL, KEY, type TestService, testService } from "./harness.ts";
import { type Json, startSession, type ToolResult } from "./mcp-client.ts";
import { UnitsAdmission } from "./units-admission.ts";

const service = await testService({}, { profile: FULL });
const session = await startSession(service);
const { result: listed } = await session.request("tools/list");
const tools = listed.tools as {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema: Json;
  readonly annotations: Json;
}[];

/** The JSON values in a tool's description: what a model would copy. */
const EXAMPLES = tools.flatMap(({ name, description }) =>
  [...(description.split(/Examples?: /)[1] ?? "").split("; ")].map((text) => ({ name, text })),
);

const POINT = { type: "Point", coordinates: [13.21, 45.46] };
const SERIES = { geometry: POINT, datetime: "2024-01-01/2024-12-31", index: "ndvi" };
const STATISTICS = {
  input: { bounds: { bbox: [13.2, 45.45, 13.22, 45.47] }, data: [{ type: "sentinel-2-l2a" }] },
  aggregation: {
    timeRange: { from: "2024-01-01", to: "2024-12-31" },
    aggregationInterval: { of: "P1M" },
    width: 64,
    height: 64,
  },
  index: "ndvi",
  calculations: { default: { percentiles: [5, 50, 95], histogram: { nBins: 4 } } },
};

async function post(path: string, body: object): Promise<unknown> {
  const response = await service.post(path, body);
  expect(response.status).toBe(200);
  return response.json();
}

describe("the list of tools", () => {
  test("says what each does, which only reads, and stands alone", () => {
    expect(tools.map(({ name }) => name)).toEqual(["collections", "search", "render", "timeseries", "statistics"]);
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description).toMatch(/[Cc]osts? /);
      expect(description).toMatch(/Examples?: \{/);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
    expect(JSON.stringify(tools)).not.toContain("#/components");
    expect(JSON.stringify(tools).length).toBeLessThan(60_000);
  });

  test.each(EXAMPLES)("the example of $name is good, and so is its answer: $text", async ({ name, text }) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, validateFormats: false }));
    const tool = tools.find((each) => each.name === name);
    const input = JSON.parse(text) as Json;
    expect(ajv.validate(tool?.inputSchema ?? false, input), ajv.errorsText()).toBe(true);
    const { result } = await session.call(name, input);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    expect(ajv.validate(tool?.outputSchema ?? false, result.structuredContent), ajv.errorsText()).toBe(true);
    expect(result.content[0]?.text?.length).toBeLessThan(20_000);
  });

  test("schemas refuse what the tools refuse", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const schemaOf = (name: string): Json => tools.find((each) => each.name === name)?.inputSchema ?? {};
    expect(ajv.validate(schemaOf("render"), { preset: "ndvi", size: 5000 })).toBe(false);
    expect(ajv.validate(schemaOf("timeseries"), { ...SERIES, geometry: { type: "Nothing" } })).toBe(false);
    expect(ajv.validate(schemaOf("search"), { nothing: 1 })).toBe(false);
  });
});

describe("answers are those of the routes", () => {
  test("a time series to the last digit", async () => {
    const { result } = await session.call("timeseries", SERIES);
    const document = await post("/v1/timeseries", SERIES);
    expect(JSON.stringify(result.structuredContent)).toBe(JSON.stringify(document));
    const got = await service.get(
      `/v1/timeseries?lon=13.21&lat=45.46&datetime=${encodeURIComponent(SERIES.datetime)}&index=ndvi`,
    );
    const { series } = (await got.json()) as { series: { value: number | null }[] };
    expect(series.length).toBeGreaterThan(2);
    expect((result.structuredContent.series as typeof series).map(({ value }) => value)).toEqual(
      series.map(({ value }) => value),
    );
    const [head = "", columns, ...rows] = result.content[0]?.text?.split("\n") ?? [];
    expect([head, columns?.split(",")[4]]).toEqual([`${series.length} observations.`, "value"]);
    expect(rows.slice(0, series.length).map((row) => Number(row.split(",")[4]))).toEqual(
      series.map(({ value }) => value),
    );
  });

  test("statistics to the last digit", async () => {
    const { result } = await session.call("statistics", STATISTICS);
    expect(JSON.stringify(result.structuredContent)).toBe(JSON.stringify(await post("/v1/statistics", STATISTICS)));
    expect(result.content[0]?.text).toMatch(/^2024-07-01, 2024-08-01, ndvi, 0\.\d{4,5}, .* 4096 \/ 4096$/m);
  });

  test("a page of a search, and the next one by its token", async () => {
    const body = { collections: ["S2L2A"], limit: 2, fields: { include: [] } };
    const first = (await session.call("search", body)).result.structuredContent;
    expect(first).toEqual(await post("/v1/search", body));
    const links = first.links as { rel: string; body?: { token: string } }[];
    const token = links.find(({ rel }) => rel === "next")?.body?.token;
    const second = (await session.call("search", { ...body, token })).result.structuredContent;
    expect(second).toEqual(await post("/v1/search", { ...body, token }));
  });

  test("items are short unless more is asked for, and at most a hundred", async () => {
    const { result } = await session.call("search", { limit: 1000 });
    const features = result.structuredContent.features as Json[];
    expect(features.length).toBeGreaterThan(20);
    expect(features.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(features).length / features.length).toBeLessThan(400);
    expect(Object.keys(features[0] ?? {}).sort()).toEqual(
      ["bbox", "collection", "id", "properties", "stac_version", "type"].sort(),
    );
  });

  test("CQL2 filters", async () => {
    const filter = { op: "<=", args: [{ property: "eo:cloud_cover" }, 5] };
    const { result } = await session.call("search", { collections: ["sentinel-2-l2a"], filter });
    expect(result.structuredContent.features).not.toEqual([]);
  });

  test("a collection whole, all in short, or those of a place and a word", async () => {
    const one = (await session.call("collections", { collection: "S2L2A" })).result.structuredContent;
    expect(one.collections).toEqual([await (await service.get("/v1/collections/sentinel-2-l2a")).json()]);
    const all = (await session.call("collections", {})).result;
    const names = (value: Json): string[] => (value.collections as { id: string }[]).map(({ id }) => id);
    expect(names(all.structuredContent)).toEqual(names((await (await service.get("/v1/collections")).json()) as Json));
    expect(JSON.stringify(all).length).toBeLessThan(40_000);
    const radar = await session.call("collections", { q: "Sentinel-1", bbox: [13, 45, 14, 46] });
    expect(names(radar.result.structuredContent)).toEqual(["sentinel-1-rtc"]);
  });
});

describe("calls that fail are results that say what is wrong", () => {
  test.each([
    { name: "search", input: { limit: "many" }, code: "invalid-body", pointer: "/limit" },
    { name: "search", input: { colections: [] }, code: "invalid-body", pointer: "/colections" },
    { name: "search", input: { collections: ["nothing"] }, code: "unknown-collection", pointer: "/collections/0" },
    { name: "collections", input: { collection: "nothing" }, code: "not-found" },
    { name: "collections", input: { bbox: [1, 2] }, code: "invalid-body", pointer: "/bbox" },
    { name: "timeseries", input: { ...SERIES, index: "ndiv" }, code: "invalid-body", pointer: "/index" },
    { name: "timeseries", input: {}, code: "invalid-body", pointer: "/datetime" },
    { name: "timeseries", input: { ...SERIES, format: "csv" }, code: "invalid-body", pointer: "/format" },
    { name: "statistics", input: { ...STATISTICS, index: undefined, bands: ["B99"] }, code: "unknown-band" },
    { name: "statistics", input: [], code: "invalid-body", pointer: "" },
  ])("$name $input: $code $pointer", async ({ name, input, code, pointer }) => {
    const { response, result } = await session.call(name, input);
    expect(response.status).toBe(200);
    expect(result).toMatchObject({ isError: true, structuredContent: { code, instance: "/mcp" }, _meta: { units: 0 } });
    const { detail, errors, requestId } = result.structuredContent as Json & { errors?: Json[] };
    expect(result.content[0]?.text).toContain(String(detail));
    expect(requestId).toBe(response.headers.get("X-Request-Id"));
    if (pointer !== undefined) expect(errors?.map((each) => each.pointer)).toContain(pointer);
  });

  test("an unexpected error of the service is named internal, without its words", async () => {
    const broken = await testService(
      {
        catalog: new Proxy({} as Services["catalog"], {
          get: () => () => Promise.reject(new Error("a secret of the inside")),
        }),
      },
      { profile: FULL },
    );
    const { response, result } = await (await startSession(broken)).call("search", {});
    expect(response.status).toBe(200);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "internal", status: 500 } });
    expect(await response.text()).not.toContain("secret");
  });
});

describe("calls that the service ends", () => {
  /** A catalog that does not answer before its caller has enough. */
  const hanging = new Proxy({} as Services["catalog"], {
    get: () => (_query: unknown, options: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true });
      }),
  });

  test("a call that takes longer than a request may is a result that says so, and costs nothing", async () => {
    const admission = new UnitsAdmission(toUnits(1));
    const slow = await testService(
      { catalog: hanging, http: { deadlineMs: 300 } },
      { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
    );
    const { response, result } = await (await startSession(slow)).call("search", {});
    expect(response.status).toBe(200);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "render-timeout", status: 504 } });
    expect(admission.events).toEqual(["admit postMcp 0.01", "release 0.01"]);
  });

  test("a client that closes the connection ends the call, and pays nothing", async () => {
    const admission = new UnitsAdmission(toUnits(1));
    const slow = await testService(
      { catalog: hanging },
      { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
    );
    const { id } = await startSession(slow);
    const controller = new AbortController();
    const answer = slow.request("/mcp", {
      method: "POST",
      signal: controller.signal,
      headers: { "X-API-Key": KEY, "Content-Type": "application/json", "Mcp-Session-Id": id },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search", arguments: {} } }),
    });
    await expect.poll(() => admission.events.length).toBe(1);
    controller.abort();
    await answer;
    expect(admission.events).toEqual(["admit postMcp 0.01", "release 0.01"]);
  });

  test("while spending is stopped no tool reads anything", async () => {
    let isStopped = false;
    const check = (): void => {
      if (isStopped) throw new ProblemError("upstream-unavailable", "The spending stop is on.");
    };
    const spending = { check, count: () => {}, isStopped: () => isStopped } as unknown as SpendingStop;
    const stopped = await testService({ spending, catalog: hanging }, { profile: FULL });
    isStopped = true;
    const calls = await startSession(stopped);
    for (const { name } of tools) {
      const { result } = await calls.call(name, JSON.parse(EXAMPLES.find((each) => each.name === name)?.text ?? ""));
      expect(result).toMatchObject({ isError: true, structuredContent: { code: "upstream-unavailable" } });
    }
    expect((await calls.request("resources/list")).error).toBeUndefined();
  });
});

describe("costs", () => {
  const LIMIT = toUnits(100);
  async function metered(limit = LIMIT): Promise<{ service: TestService; admission: UnitsAdmission }> {
    const admission = new UnitsAdmission(limit);
    const own = await testService(
      { tileCacheBytes: 10_000_000 },
      { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
    );
    return { service: own, admission };
  }
  const unitsOf = (result: ToolResult, response: Response): unknown[] => [
    result._meta.units,
    response.headers.get("X-Units-Spent"),
  ];

  test.each([
    { name: "search", input: {}, units: 0.01 },
    { name: "collections", input: {}, units: 0 },
    { name: "timeseries", input: SERIES, units: 0.01 },
    { name: "statistics", input: STATISTICS, units: 0.0209 },
    // 179 x 256 pixels in Web Mercator, three bands of a whole file
    {
      name: "render",
      input: { preset: "true-color", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31", size: 256 },
      units: 0.1749,
    },
    {
      name: "render",
      input: { preset: "ndvi", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31", size: 64 },
      units: 0.0074,
    },
    {
      name: "render",
      input: { preset: "true-color", item: "S2B_T33TUL_20240704T100211_L2A", size: 64 },
      units: 0.0157,
    },
    {
      name: "render",
      input: { preset: "true-color", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "1999-01-01/1999-01-02" },
      units: 0,
    },
  ])("$name $input costs $units units, as the result and the headers say", async ({ name, input, units }) => {
    const { service: own, admission } = await metered();
    const { response, result } = await (await startSession(own)).call(name, input);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    expect(unitsOf(result, response)).toEqual([units, units === 0 ? null : String(units)]);
    expect([fromUnits(admission.spent as typeof LIMIT), admission.reserved]).toEqual([units, 0]);
  });

  test("as the REST route of the same purpose", async () => {
    const { service: own } = await metered();
    for (const [name, path, body] of [
      ["timeseries", "/v1/timeseries", SERIES],
      ["statistics", "/v1/statistics", STATISTICS],
    ] as const) {
      const { result } = await (await startSession(own)).call(name, body);
      const rest = await own.post(path, body);
      expect([name, rest.headers.get("X-Units-Spent")]).toEqual([name, String(result._meta.units)]);
    }
  });

  test("an image that is finished already costs nothing", async () => {
    const { service: own, admission } = await metered();
    const input = { preset: "ndvi", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31", size: 64 };
    const own1 = await startSession(own);
    const first = await own1.call("render", input);
    const second = await own1.call("render", input);
    expect([first.result._meta.units, second.result._meta.units]).toEqual([0.0074, 0]);
    expect(second.result.content[1]).toEqual(first.result.content[1]);
    expect(admission.events).toEqual(["admit postMcp 0.0074", "charge 0.0074"]);
  });

  test("a call that fails costs nothing, though its units were reserved", async () => {
    const { service: own, admission } = await metered();
    const calls = await startSession(own);
    const { response, result } = await calls.call("search", { collections: ["nothing"] });
    expect([response.status, result.isError, result._meta.units]).toEqual([200, true, 0]);
    expect(response.headers.get("X-Units-Spent")).toBeNull();
    expect(admission.events).toEqual(["admit postMcp 0.01", "release 0.01"]);
    expect([admission.spent, admission.reserved]).toEqual([0, 0]);
  });

  test("nothing but calls costs: initialize, lists, pings and notifications are counted as requests", async () => {
    const { service: own, admission } = await metered();
    const calls = await startSession(own);
    await calls.request("tools/list");
    await calls.request("resources/list");
    await calls.request("ping");
    expect([admission.events, admission.arrived]).toEqual([[], 4]);
  });

  test("without units a call is a result that says when to try again", async () => {
    const { service: own } = await metered(toUnits(0.005));
    const { result } = await (await startSession(own)).call("search", {});
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "quota-exhausted", retryAfter: 60 } });
    expect(result.content[0]?.text).toContain("Try again in 60 seconds.");
  });
});

test("resources are the documents of the routes", async () => {
  const { result } = await session.request("resources/list");
  const uris = (result.resources as { uri: string }[]).map(({ uri }) => uri);
  expect(uris).toEqual(["http://service.test/v1/presets", "http://service.test/v1/schema"]);
  for (const uri of uris) {
    const { result: read } = await session.request("resources/read", { uri });
    const [{ text } = { text: "" }] = read.contents as { text: string }[];
    expect(JSON.parse(text)).toEqual(await (await service.get(new URL(uri).pathname)).json());
  }
  expect((await session.request("resources/templates/list")).result).toEqual({ resourceTemplates: [] });
});
