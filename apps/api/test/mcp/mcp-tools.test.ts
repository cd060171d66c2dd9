import { fromUnits, toUnits } from "@swath/accounts";
import type { SpendingStop } from "@swath/accounts/owner";
import { indices } from "@swath/schema/presets";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterEach, describe, expect, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { ProblemError } from "../../src/errors/problems.ts";
import type { Services } from "../../src/operations/services.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { FULL, KEY, type TestService, testService } from "../tools/harness.ts";
import { type Json, startSession, type ToolResult } from "../tools/mcp-client.ts";
import { UnitsAdmission } from "../units/units-admission.ts";

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

interface Argument {
  readonly path: string;
  readonly schema: Json;
  readonly description: unknown;
}

/** All members of an input, those in others too; a reference has the description of what it refers to. */
function argumentsOf(root: Json, schema: Json, path = ""): readonly Argument[] {
  const members = (schema.properties ?? {}) as Record<string, Json>;
  return Object.entries(members).flatMap(([name, member]) => {
    const own = `${path}/${name}`;
    const items = (member.items ?? {}) as Json;
    const target = resolved(root, member);
    const inner = [target, resolved(root, items)].flatMap((each) => argumentsOf(root, each, own));
    return [{ path: own, schema: target, description: member.description ?? target.description }, ...inner];
  });
}

function resolved(root: Json, schema: Json): Json {
  const name = /^#\/\$defs\/(\w+)$/.exec(String(schema.$ref ?? ""))?.[1];
  return name === undefined ? schema : ((root.$defs as Record<string, Json>)[name] ?? {});
}

const holdsNumbers = ({ type, items }: Json): boolean =>
  type === "number" || type === "integer" || (type === "array" && holdsNumbers((items ?? {}) as Json));

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
  test("says what each does, which only reads, and stands alone", { tags: ["MC8", "MC17"] }, () => {
    expect(tools.map(({ name }) => name)).toEqual(["collections", "search", "render", "timeseries", "statistics"]);
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description).toMatch(/[Cc]osts? /);
      expect(description).toMatch(/Examples?: \{/);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
    expect(JSON.stringify(tools)).not.toContain("#/components");
    // it is sent to a model with every conversation
    expect(JSON.stringify(listed).length).toBeLessThan(25_000);
  });

  test("every argument is described, and numbers say of what unit they are", { tags: ["MC17"] }, () => {
    const UNITS = /degrees|pixels|metres|percent|km²|items|number of|units of|0 to 1|a number|CRS84/i;
    for (const { name, inputSchema } of tools) {
      const found = argumentsOf(inputSchema, inputSchema);
      expect(found.length).toBeGreaterThan(3);
      for (const { path, schema, description } of found) {
        expect([name, path, description]).toEqual([name, path, expect.stringMatching(/.{4,}/)]);
        if (holdsNumbers(schema)) expect([name, path, description]).toEqual([name, path, expect.stringMatching(UNITS)]);
      }
    }
  });

  test.each(EXAMPLES)(
    "the example of $name is good, and so is its answer: $text",
    { tags: ["MC8"] },
    async ({ name, text }) => {
      const ajv = addFormats.default(new Ajv2020({ strict: false, validateFormats: false }));
      const tool = tools.find((each) => each.name === name);
      const input = JSON.parse(text) as Json;
      expect(ajv.validate(tool?.inputSchema ?? false, input), ajv.errorsText()).toBe(true);
      const { result } = await session.call(name, input);
      expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
      expect(ajv.validate(tool?.outputSchema ?? false, result.structuredContent), ajv.errorsText()).toBe(true);
      expect(result.content[0]?.text?.length).toBeLessThan(20_000);
    },
  );

  test("schemas refuse what the tools refuse", { tags: ["MC8"] }, () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const schemaOf = (name: string): Json => tools.find((each) => each.name === name)?.inputSchema ?? {};
    expect(ajv.validate(schemaOf("render"), { preset: "ndvi", size: 5000 })).toBe(false);
    expect(ajv.validate(schemaOf("timeseries"), { ...SERIES, geometry: { type: "Nothing" } })).toBe(false);
    expect(ajv.validate(schemaOf("search"), { nothing: 1 })).toBe(false);
  });
});

describe("answers are those of the routes", () => {
  test("a time series to the last digit", { tags: ["MC9", "MC15"] }, async () => {
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
    const [head = "", ...rows] = result.content[0]?.text?.split("\n") ?? [];
    expect(head).toBe(
      `${series.length} observations of ndvi (bandpass_adjusted). datetime, platform, value, validFraction`,
    );
    expect(rows.slice(0, series.length).map((row) => Number(row.split(", ")[2]))).toEqual(
      series.map(({ value }) => value),
    );
  });

  test("the text of a series has all of its rows, however many", { tags: ["MC15"] }, async () => {
    const long = { ...SERIES, datetime: "2012-01-01/2026-06-14" };
    const { result } = await session.call("timeseries", long);
    const { series } = result.structuredContent as {
      series: { value: number | null; validFraction: number; platform: string }[];
    };
    const rows = result.content[0]?.text?.split("\n").slice(1, series.length + 1) ?? [];
    expect(series.length).toBeGreaterThan(8);
    expect(rows.map((row) => row.split(", ").slice(1))).toEqual(
      series.map(({ platform, value, validFraction }) => [platform, String(value ?? ""), String(validFraction)]),
    );
  });

  test("statistics to the last digit", { tags: ["MC9"] }, async () => {
    const { result } = await session.call("statistics", STATISTICS);
    expect(JSON.stringify(result.structuredContent)).toBe(JSON.stringify(await post("/v1/statistics", STATISTICS)));
    expect(result.content[0]?.text).toMatch(/^2024-07-01, 2024-08-01, ndvi, 0\.\d{4,6}, .* 4096 \/ 4096$/m);
  });

  test("the text of statistics has every number that was asked for: percentiles and histograms too", {
    tags: ["MC15"],
  }, async () => {
    const { result } = await session.call("statistics", STATISTICS);
    const [head = "", ...lines] = result.content[0]?.text?.split("\n") ?? [];
    expect(head).toBe(
      "Computed from REFLECTANCE. from, to, output, mean, min, max, stDev, p5, p50, p95, pixels with a value / all",
    );
    interface Stats {
      readonly stats: Readonly<Record<string, number | null>> & { readonly percentiles: Record<string, number | null> };
      readonly histogram: { readonly bins: Record<string, number>[]; overflowCount: number; underflowCount: number };
    }
    const { data } = result.structuredContent as {
      data: { interval: { from: string }; outputs: { ndvi: Stats } }[];
    };
    const short = (value: number | null | undefined): string =>
      value === null || value === undefined ? "" : String(Number(value.toPrecision(6)));
    expect(data).toHaveLength(12);
    for (const { interval, outputs } of data) {
      const { stats, histogram } = outputs.ndvi;
      const at = lines.findIndex((line) => line.startsWith(interval.from.slice(0, 10)));
      const numbers = [stats.mean, stats.min, stats.max, stats.stDev, ...Object.values(stats.percentiles)];
      expect(lines[at]?.split(", ").slice(3, 10)).toEqual(numbers.map(short));
      const { bins, overflowCount, underflowCount } = histogram;
      const counts = bins.map(({ lowEdge, count }) => `[${short(lowEdge)}] ${count}`).join(" ");
      if (bins.length > 0) {
        expect(lines[at + 1]).toBe(
          `histogram, counts between edges: ${counts} [${short(bins.at(-1)?.highEdge)}]; below ${underflowCount}, above ${overflowCount}`,
        );
      }
    }
    expect(lines.filter((line) => line.startsWith("histogram")).length).toBeGreaterThan(0);
  });

  test("the text of a search has the properties that fields ask for", { tags: ["MC15"] }, async () => {
    const fields = { include: ["id", "properties.view:sun_elevation", "properties.eo:cloud_cover"] };
    const { result } = await session.call("search", { collections: ["sentinel-2-l2a"], limit: 1, fields });
    const [item] = result.structuredContent.features as { properties: Record<string, number> }[];
    const elevation = item?.properties["view:sun_elevation"];
    expect(elevation).toBeGreaterThan(0);
    expect(result.content[0]?.text).toContain(`view:sun_elevation ${elevation})`);
  });

  test("a search is sorted as its description says", { tags: ["MC17"] }, async () => {
    const description = tools.find(({ name }) => name === "search")?.description ?? "";
    const sortby = JSON.parse(/sortby: (\[.*?\])/.exec(description)?.[1] ?? "") as Json[];
    const { result } = await session.call("search", { collections: ["sentinel-2-l2a"], sortby });
    const clouds = (result.structuredContent.features as { properties: Record<string, number> }[]).map(
      ({ properties }) => properties["eo:cloud_cover"] ?? 0,
    );
    expect(clouds.length).toBeGreaterThan(3);
    expect(clouds).toEqual([...clouds].sort((a, b) => a - b));
  });

  test("a page of a search, and the next one by its token", { tags: ["MC9"] }, async () => {
    const body = { collections: ["S2L2A"], limit: 2, fields: { include: [] } };
    const first = (await session.call("search", body)).result.structuredContent;
    expect(first).toEqual(await post("/v1/search", body));
    const links = first.links as { rel: string; body?: { token: string } }[];
    const token = links.find(({ rel }) => rel === "next")?.body?.token;
    const second = (await session.call("search", { ...body, token })).result.structuredContent;
    expect(second).toEqual(await post("/v1/search", { ...body, token }));
  });

  test("items are short unless more is asked for, and at most a hundred", { tags: ["MC16"] }, async () => {
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

  test("a collection whole, all in short, or those of a place and a word", { tags: ["MC9"] }, async () => {
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

describe("where nothing is found, the text says what there is", () => {
  const swapped = [45.45, 13.2, 45.47, 13.22];
  const early = "1975-01-01/1975-12-31";
  const statistics = (bbox: readonly number[], from: string, to: string) => ({
    ...STATISTICS,
    input: { ...STATISTICS.input, bounds: { bbox } },
    aggregation: { ...STATISTICS.aggregation, timeRange: { from, to } },
  });
  const COVERS =
    /sentinel-2-l2a covers 2021-03-19 to 2026-06-13, longitude 12\.\d+ to 15\.\d+, latitude 45\.\d+ to 46\.\d+\./;
  test.each([
    ["timeseries", { ...SERIES, geometry: { ...POINT, coordinates: [45.46, 13.21] } }, "swap"],
    ["timeseries", { ...SERIES, datetime: early }, "time"],
    ["search", { bbox: swapped, collections: ["sentinel-2-l2a"] }, "swap"],
    ["search", { datetime: early, collections: ["sentinel-2-l2a"] }, "time"],
    ["render", { preset: "ndvi", bbox: swapped, datetime: "2024-06-01/2024-08-31" }, "swap"],
    ["render", { preset: "ndvi", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2030-01-01/2030-12-31" }, "late"],
    ["statistics", statistics(swapped, "2024-01-01", "2024-12-31"), "swap"],
    ["statistics", statistics([13.2, 45.45, 13.22, 45.47], "2016-01-01", "2016-12-31"), "time"],
  ])("%s %j", { tags: ["MC18"] }, async (name, input, fault) => {
    const { result } = await session.call(name, input);
    const text = result.content[0]?.text ?? "";
    expect(result.isError).toBeUndefined();
    if (name === "timeseries") expect(text).toMatch(/^0 observations of ndvi .*\.\noptical-sr covers 2010-07-08 to /);
    else expect(text).toMatch(COVERS);
    const hints = { swap: "did you swap longitude and latitude?", time: "is before that.", late: "is after that." };
    for (const [kind, hint] of Object.entries(hints))
      expect([hint, text.includes(hint)]).toEqual([hint, kind === fault]);
    if (fault === "swap")
      expect(text).toMatch(/longitude 45\.4\d*( to 45\.\d+)?, latitude 13\.2\d*( to 13\.\d+)? was asked for/);
  });

  test("where something is found, it does not", async () => {
    const { result } = await session.call("timeseries", SERIES);
    expect(result.content[0]?.text).not.toContain("covers");
  });
});

describe("calls that fail are results that say what is wrong", () => {
  test("an unknown index is told which there are, with titles, those of a word of it first", {
    tags: ["MC18"],
  }, async () => {
    const { result } = await session.call("timeseries", { ...SERIES, index: "snow cover" });
    const text = result.content[0]?.text ?? "";
    expect(text).toMatch(/No index is called "snow cover"\. There are ndsi \(Normalized difference snow index\), /);
    expect(text).toContain("swi (Snow Water Index), ");
    expect(text).toMatch(new RegExp(`, and ${indices.length - 12} others of the schema\\.$`));
    expect(text).not.toContain("/v1/schema");
    expect(text.length).toBeLessThan(1200);
  });

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
  ])("$name $input: $code $pointer", { tags: ["MC11"] }, async ({ name, input, code, pointer }) => {
    const { response, result } = await session.call(name, input);
    expect(response.status).toBe(200);
    expect(result).toMatchObject({ isError: true, structuredContent: { code, instance: "/mcp" }, _meta: { units: 0 } });
    const { detail, errors, requestId } = result.structuredContent as Json & { errors?: Json[] };
    expect(result.content[0]?.text).toContain(String(detail));
    expect(requestId).toBe(response.headers.get("X-Request-Id"));
    if (pointer !== undefined) expect(errors?.map((each) => each.pointer)).toContain(pointer);
  });

  test("an unexpected error of the service is named internal, without its words", { tags: ["MC11"] }, async () => {
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
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** A catalog that does not answer before its caller has enough. */
  const hanging = new Proxy({} as Services["catalog"], {
    get: () => (_query: unknown, options: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true });
      }),
  });

  test("a call that takes longer than a request may is a result that says so, and costs nothing", async () => {
    const admission = new UnitsAdmission(toUnits(1));
    const deadlineMs = 27_001;
    const { deadline } = holdTimers({ deadline: deadlineMs });
    const slow = await testService(
      { catalog: hanging, http: { deadlineMs } },
      { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
    );
    const called = (await startSession(slow)).call("search", {});
    await expect.poll(() => admission.events.length).toBe(1);
    deadline.pass();
    const { response, result } = await called;
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
  ])(
    "$name $input costs $units units, as the result and the headers say",
    { tags: ["MC12"] },
    async ({ name, input, units }) => {
      const { service: own, admission } = await metered();
      const { response, result } = await (await startSession(own)).call(name, input);
      expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
      expect(unitsOf(result, response)).toEqual([units, units === 0 ? null : String(units)]);
      expect([fromUnits(admission.spent as typeof LIMIT), admission.reserved]).toEqual([units, 0]);
    },
  );

  test("as the REST route of the same purpose", { tags: ["MC12"] }, async () => {
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

  test("an image that is finished already costs nothing", { tags: ["MC12"] }, async () => {
    const { service: own, admission } = await metered();
    const input = { preset: "ndvi", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31", size: 64 };
    const own1 = await startSession(own);
    const first = await own1.call("render", input);
    const second = await own1.call("render", input);
    expect([first.result._meta.units, second.result._meta.units]).toEqual([0.0074, 0]);
    expect(second.result.content[1]).toEqual(first.result.content[1]);
    expect(admission.events).toEqual(["admit postMcp 0.0074", "charge 0.0074"]);
  });

  test("a call that fails costs nothing, though its units were reserved", { tags: ["MC12"] }, async () => {
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
