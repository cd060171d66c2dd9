import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toUnits } from "@swath/accounts";
import { PROCESS_DEFINITIONS } from "@swath/openeo";
import { beforeAll, describe, expect, test } from "vitest";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { FULL, KEY, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { UnitsAdmission } from "../units/units-admission.ts";
import { callback, EXTENT, type Graph, node, reducer } from "./graphs.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

const JULY = ["2024-07-01", "2024-08-01"];
const load = (more: Record<string, unknown> = {}) => ({
  process_id: "load_collection",
  arguments: {
    id: "sentinel-2-l2a",
    spatial_extent: EXTENT,
    temporal_extent: JULY,
    bands: ["B04", "B8A"],
    ...more,
  },
});
const save = (data: string, format = "GTiff") =>
  ({ process_id: "save_result", arguments: { data: node(data), format }, result: true }) as const;
const post = (process_graph: unknown, more: Record<string, unknown> = {}): Promise<Response> =>
  service.post("/v1/openeo/result", { process: { process_graph }, ...more });

interface Failure {
  readonly code: string;
  readonly openeoCode: string;
  readonly message: string;
  readonly detail: string;
  readonly id: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly unitsEstimated?: number;
}

describe("discovery", () => {
  test("the versions name the address of the API", { tags: ["OE1"] }, async () => {
    const { versions } = (await (await service.request("/.well-known/openeo")).json()) as { versions: unknown[] };
    expect(versions).toEqual([{ url: "http://service.test/v1/openeo", api_version: "1.2.0", production: true }]);
  });

  test.each(["/v1/openeo", "/v1/openeo/"])("%s is the same without a key", { tags: ["OE1"] }, async (path) => {
    const response = await service.request(path);
    expect(response.status).toBe(200);
    const body = (await response.json()) as { api_version: string; endpoints: { path: string }[] };
    expect(body.api_version).toBe("1.2.0");
    expect(body.endpoints.map((endpoint) => endpoint.path)).toContain("/result");
  });

  test("every endpoint that the capabilities list is served", { tags: ["OE1"] }, async () => {
    const { endpoints } = (await (await service.request("/v1/openeo")).json()) as {
      endpoints: { path: string; methods: string[] }[];
    };
    for (const { path, methods } of endpoints) {
      const address = `/v1/openeo${path.replace("{collection_id}", "sentinel-2-l2a")}`;
      for (const method of methods)
        expect([path, (await service.request(address, { method })).status]).not.toContain(404);
    }
  });

  test("every collection has the dimensions of its cube", { tags: ["OE2"] }, async () => {
    const response = await service.request("/v1/openeo/collections");
    const { collections } = (await response.json()) as {
      collections: { id: string; "cube:dimensions": Record<string, { values?: string[] }> }[];
    };
    expect(collections.map(({ id }) => id).sort()).toEqual(FULL.registry.listed.map(({ id }) => id).sort());
    for (const { id, "cube:dimensions": dimensions } of collections) {
      expect([id, Object.keys(dimensions)]).toEqual([id, ["x", "y", "t", "bands"]]);
      expect([id, dimensions.bands?.values?.length]).not.toEqual([id, 0]);
    }
    const one = await service.request("/v1/openeo/collections/S2L2A");
    expect(await one.json()).toEqual(collections.find(({ id }) => id === "sentinel-2-l2a"));
  });

  test("each band of each collection can be loaded", { tags: ["OE2"] }, async () => {
    const response = await service.request("/v1/openeo/collections");
    const { collections } = (await response.json()) as {
      collections: { id: string; "cube:dimensions": { bands: { values: string[] } } }[];
    };
    for (const { id, "cube:dimensions": dimensions } of collections) {
      const graph = { load: load({ id, bands: dimensions.bands.values }), save: save("load") };
      const answer = await service.post("/v1/openeo/validation", { process: { process_graph: graph } });
      expect([id, await answer.json()]).toEqual([id, { errors: [] }]);
    }
  });

  test("the processes are those that work", async () => {
    const response = await service.request("/v1/openeo/processes");
    expect(await response.json()).toEqual({ processes: PROCESS_DEFINITIONS, links: [] });
  });

  test("the formats are those of save_result", async () => {
    const { output } = (await (await service.request("/v1/openeo/file_formats")).json()) as { output: object };
    expect(Object.keys(output)).toEqual(["GTiff", "PNG", "JPEG", "JSON", "CSV"]);
  });
});

describe("who asks", () => {
  const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString("base64")}`;

  test("a key as a password gives a token that is taken as a bearer", { tags: ["OE4"] }, async () => {
    const response = await service.request("/v1/openeo/credentials/basic", { headers: { Authorization: basic(KEY) } });
    const { access_token } = (await response.json()) as { access_token: string };
    const me = await service.request("/v1/openeo/me", { headers: { Authorization: `Bearer basic//${access_token}` } });
    expect([me.status, Object.keys((await me.json()) as object)]).toEqual([200, ["user_id", "name", "links"]]);
  });

  test("a wrong password is called that", async () => {
    const headers = { Authorization: basic("wrong") };
    const response = await service.request("/v1/openeo/credentials/basic", { headers });
    expect(await response.json()).toMatchObject({
      detail: "The key that was sent as the password is unknown or disabled.",
    });
  });

  test.each([basic("wrong"), basic(""), "Basic !!", "Bearer x", undefined])(
    "%s gives no token",
    { tags: ["OE4"] },
    async (header) => {
      const headers = header === undefined ? {} : { Authorization: header };
      const response = await service.request("/v1/openeo/credentials/basic", { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toContain("ApiKey");
      expect(await response.json()).toMatchObject({ code: "invalid-key", openeoCode: "AuthenticationRequired" });
    },
  );

  test.each(["/v1/openeo/result", "/v1/openeo/validation"])("POST %s needs a key", { tags: ["OE4"] }, async (path) => {
    const body = JSON.stringify({ process: { process_graph: {} } });
    const headers = { "Content-Type": "application/json" };
    expect((await service.request(path, { method: "POST", headers, body })).status).toBe(401);
    expect((await service.request("/v1/openeo/me")).status).toBe(401);
  });
});

describe("what is wrong with a graph is said", () => {
  const apply = (graph: object): Graph =>
    ({
      load: load(),
      apply: { process_id: "apply", arguments: { data: node("load"), process: { process_graph: graph } } },
      save: save("apply"),
    }) as unknown as Graph;
  const rows: readonly (readonly [name: string, graph: unknown, status: number, code: string, pointer: string])[] = [
    ["no object", [], 400, "ProcessGraphInvalid", ""],
    ["no node", {}, 400, "ProcessGraphInvalid", ""],
    ["no result node", { load: load() }, 400, "ProcessGraphInvalid", ""],
    [
      "two result nodes",
      { a: { ...load(), result: true }, b: { ...load(), result: true } },
      400,
      "ProcessGraphInvalid",
      "",
    ],
    ["an unknown node", { save: save("nowhere") }, 400, "ProcessGraphInvalid", "/save"],
    [
      "a cycle",
      {
        a: { process_id: "apply", arguments: { data: node("b") } },
        b: { process_id: "apply", arguments: { data: node("a") }, result: true },
      },
      400,
      "ProcessGraphInvalid",
      "",
    ],
    [
      "an unknown process",
      { load: load(), udf: { process_id: "run_udf", arguments: {}, result: true } },
      422,
      "ProcessUnsupported",
      "/udf/process_id",
    ],
    [
      "an unknown argument",
      { load: load({ band: [] }), save: save("load") },
      400,
      "ProcessParameterUnsupported",
      "/load/arguments/band",
    ],
    [
      "a missing argument",
      { a: { process_id: "ndvi", arguments: {}, result: true } },
      400,
      "ProcessParameterRequired",
      "/a/arguments/data",
    ],
    [
      "a wrong type",
      { load: load({ bands: "B04" }), save: save("load") },
      400,
      "ProcessParameterInvalid",
      "/load/arguments/bands",
    ],
    [
      "an unknown band",
      { load: load({ bands: ["B99"] }), save: save("load") },
      400,
      "ProcessParameterInvalid",
      "/load/arguments/bands",
    ],
    [
      "an empty time",
      { load: load({ temporal_extent: ["2024-07-02", "2024-07-01"] }), save: save("load") },
      400,
      "TemporalExtentEmpty",
      "/load/arguments/temporal_extent",
    ],
    [
      "an unknown process in a callback",
      apply({ a: { process_id: "sin", arguments: { x: { from_parameter: "x" } }, result: true } }),
      422,
      "ProcessUnsupported",
      "/apply/arguments/process/process_graph/a/process_id",
    ],
    [
      "a cube in a callback of numbers",
      apply({ a: { ...load(), result: true } }),
      400,
      "ProcessParameterInvalid",
      "/apply/arguments/process",
    ],
    [
      "a boolean where a number belongs",
      apply({ a: { process_id: "add", arguments: { x: true, y: 1 }, result: true } }),
      400,
      "ProcessParameterInvalid",
      "/apply/arguments/process/process_graph/a/arguments/x",
    ],
    [
      "no dimension of that name",
      {
        load: load(),
        drop: { process_id: "drop_dimension", arguments: { data: node("load"), name: "z" } },
        save: save("drop"),
      },
      400,
      "DimensionNotAvailable",
      "/drop",
    ],
    [
      "no bounds",
      { load: load({ spatial_extent: null }), save: save("load") },
      400,
      "ProcessParameterInvalid",
      "/save",
    ],
    [
      "no bounds of what only labels are needed of",
      {
        load: load({ spatial_extent: null }),
        labels: { process_id: "dimension_labels", arguments: { data: node("load"), dimension: "t" }, result: true },
      },
      400,
      "ProcessParameterInvalid",
      "/load/arguments/spatial_extent",
    ],
    [
      "another format",
      { load: load(), save: save("load", "netCDF") },
      400,
      "FormatUnsupported",
      "/save/arguments/format",
    ],
    [
      "a method of resampling that is not served",
      {
        load: load(),
        resample: {
          process_id: "resample_spatial",
          arguments: { data: node("load"), resolution: 100, method: "lanczos" },
        },
        save: save("resample"),
      },
      501,
      "FeatureUnsupported",
      "/resample/arguments/method",
    ],
    ["a raster as CSV", { load: load(), save: save("load", "CSV") }, 400, "FormatUnsuitable", "/save"],
    [
      "an overlap",
      {
        load: load(),
        merge: { process_id: "merge_cubes", arguments: { cube1: node("load"), cube2: node("load") } },
        save: save("merge"),
      },
      400,
      "OverlapResolverMissing",
      "/merge",
    ],
  ];

  test.each(rows)("%s", { tags: ["OE5", "OE14"] }, async (_, graph, status, openeoCode, pointer) => {
    const response = await post(graph);
    const body = (await response.json()) as Failure;
    expect(body).toMatchObject({ status, code: "invalid-process-graph", openeoCode });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(body.errors?.map((error) => error.pointer)).toEqual([`/process/process_graph${pointer}`]);
    expect([body.message, body.id]).toEqual([body.detail, body.requestId]);
    const validated = await service.post("/v1/openeo/validation", { process: { process_graph: graph } });
    expect(await validated.json()).toEqual({ errors: [{ code: openeoCode, message: body.message }] });
  });

  test.each([
    ["of the graph", { ndvi: { process_id: "ndvi", arguments: {}, result: true } }, "Node: ndvi"],
    [
      "of a callback, and the node that it is an argument of",
      apply({ a: { process_id: "add", arguments: { x: true, y: 1 }, result: true } }),
      "Node: apply/a",
    ],
    ["of what is saved in a format that does not hold it", { load: load(), save: save("load", "CSV") }, "Node: save"],
    [
      "of a load without scenes",
      { load: load({ temporal_extent: ["2001-01-01", "2001-02-01"] }), save: save("load") },
      "Node: load",
    ],
    ["of a load of a collection that does not exist", { load: load({ id: "none" }), save: save("load") }, "Node: load"],
  ])("a message ends with the id of the node %s", { tags: ["OE14"] }, async (_, graph, end) => {
    const { message, errors } = (await (await post(graph)).json()) as Failure;
    expect(message.slice(-end.length - 1)).toBe(` ${end}`);
    expect(errors?.map(({ detail }) => `${detail} ${end}`)).toEqual([message]);
  });

  test("as application/json where the client asks for that", { tags: ["OE6"] }, async () => {
    const checked = await testService({}, { profile: FULL, check: false });
    const graph = { process: { process_graph: {} } };
    const headers = { Accept: "application/json, text/plain, */*" };
    const response = await checked.post("/v1/openeo/result", graph, headers);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([400, "application/json"]);
    const lost = await checked.get("/v1/openeo/collections/none", headers);
    expect([lost.status, lost.headers.get("Content-Type")]).toEqual([404, "application/json"]);
    expect(await lost.json()).toMatchObject({ code: "not-found", openeoCode: "CollectionNotFound" });
  });

  test.each([
    ["on the Earth", "load", { spatial_extent: { west: 1e9, south: 0, east: 1.1e9, north: 10, crs: 32_633 } }, {}],
    [
      "in the CRS",
      "save",
      {},
      { resample: { process_id: "resample_spatial", arguments: { data: node("load"), projection: 32_760 } } },
    ],
  ])("an area that is not %s is a fault of the graph, not of a body that nobody sent", async (_, at, more, nodes) => {
    const [last = "load"] = Object.keys(nodes);
    const response = await post({ load: load(more), ...nodes, save: save(last) });
    const body = (await response.json()) as Failure;
    expect(body).toMatchObject({ status: 400, code: "invalid-process-graph", openeoCode: "ProcessParameterInvalid" });
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual([`/process/process_graph/${at}`]);
    expect(body.detail).not.toContain("/input");
    expect(body.message).toMatch(new RegExp(` Node: ${at}$`));
  });

  test("every problem has a code of openEO that says whose fault it is", { tags: ["OE15"] }, async () => {
    const checked = await testService({}, { profile: FULL, check: false });
    const wrong = await checked.get("/v1/openeo/processes?limit=0");
    expect(await wrong.json()).toMatchObject({ code: "invalid-parameter", openeoCode: "RequestInvalid" });
    const lost = await checked.get("/v1/openeo/nothing");
    expect([lost.status, await lost.json()]).toEqual([
      404,
      expect.objectContaining({ code: "not-found", openeoCode: "NotFound" }),
    ]);
  });

  const specification = join(process.env.SWATH_SCHEMAS ?? "", "openeo/1.2.0/openapi.yaml");
  test.skipIf(process.env.SWATH_SCHEMAS === undefined)(
    "every endpoint of the openEO API that the capabilities do not list is 501 FeatureUnsupported",
    { tags: ["OE15"] },
    async () => {
      const checked = await testService({}, { profile: FULL, check: false });
      const { endpoints } = (await (await checked.get("/v1/openeo")).json()) as {
        endpoints: { path: string; methods: string[] }[];
      };
      const served = endpoints.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
      let path = "";
      const all = readFileSync(specification, "utf8")
        .split("\n")
        .flatMap((line) => {
          path = /^ {2}'?(\/[^':]*)'?:$/.exec(line)?.[1] ?? path;
          const [, method] = /^ {4}(get|post|put|patch|delete):$/.exec(line) ?? [];
          return method === undefined ? [] : [`${method.toUpperCase()} ${path}`];
        });
      const others = all.filter((each) => !served.includes(each) && !each.includes("well-known"));
      expect(others.length).toBeGreaterThan(25);
      for (const each of others) {
        const [method = "", template = ""] = each.split(" ");
        const response = await checked.request(`/v1/openeo${template.replaceAll(/\{\w+\}/g, "a")}`, { method });
        expect([each, response.status, await response.json()]).toEqual([
          each,
          501,
          expect.objectContaining({ status: 501, code: "not-found", openeoCode: "FeatureUnsupported" }),
        ]);
      }
    },
  );

  test("an unknown collection is 404, with the closest name", { tags: ["OE7"] }, async () => {
    const response = await post({ load: load({ id: "sentinel-2-l2b" }), save: save("load") });
    expect(response.status).toBe(404);
    const body = (await response.json()) as Failure;
    expect(body).toMatchObject({ code: "unknown-collection", openeoCode: "CollectionNotFound" });
    expect(body.detail).toContain('"sentinel-2-l2a"');
  });

  test("no scene in the extent is 404 NoDataAvailable", { tags: ["OE7"] }, async () => {
    const response = await post({ load: load({ temporal_extent: ["2001-01-01", "2001-02-01"] }), save: save("load") });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "not-found", openeoCode: "NoDataAvailable" });
  });

  test.each([
    ["no body", "", "ProcessGraphInvalid"],
    ["no JSON", "{", "ProcessGraphInvalid"],
    ["no process", "{}", "ProcessGraphInvalid"],
    ["a budget that is text", JSON.stringify({ process: { process_graph: {} }, budget: "1" }), "ProcessGraphInvalid"],
  ])("%s is a malformed graph", async (_, body, openeoCode) => {
    const response = await service.post("/v1/openeo/result", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid-process-graph", openeoCode });
  });

  test("a process without a graph is told so in plain words", async () => {
    const response = await service.post("/v1/openeo/result", { process: {} });
    expect(((await response.json()) as Failure).detail).toBe("/process/process_graph: Missing: expected a value.");
  });

  test("a body of more than 1 MiB is 413", { tags: ["OE9"] }, async () => {
    const body = JSON.stringify({ process: { process_graph: { a: "x".repeat(1_048_577) } } });
    expect((await service.post("/v1/openeo/result", body)).status).toBe(413);
  });

  test.each([
    ["more than 1,000 nodes", 1001, () => load()],
    // each would be a search of scenes
    [
      "more than 16 cubes to load",
      17,
      (i: number) => ({
        process_id: "dimension_labels",
        arguments: { data: node(`load${i}`), dimension: "t" },
      }),
    ],
  ] as const)("a graph of %s is too complex", { tags: ["OE9"] }, async (_, count, make) => {
    const nodes = Array.from({ length: count }, (__, i) => [
      [`n${i}`, make(i)] as const,
      [`load${i}`, load()] as const,
    ]).flat();
    const response = await post({ ...Object.fromEntries(nodes), save: save("load0") });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid-process-graph",
      openeoCode: "ProcessGraphComplexity",
    });
  });
});

describe("parameters of the process", () => {
  const box = { from_parameter: "box" };
  const graph = {
    load: load({ spatial_extent: box, bands: { from_parameter: "bands" } }),
    mean: {
      process_id: "reduce_dimension",
      arguments: { data: node("load"), dimension: "t", reducer: { from_parameter: "reducer" } },
    },
    save: save("mean"),
  };
  const bands = { name: "bands", schema: { type: "array" }, optional: true, default: ["B04"] };
  const chosen = { name: "reducer", schema: { type: "object" }, default: reducer("mean") };
  const parameters = [{ name: "box", schema: { type: "object" }, default: EXTENT }, bands, chosen];
  const written = {
    load: load({ spatial_extent: EXTENT, bands: ["B04"] }),
    mean: {
      process_id: "reduce_dimension",
      arguments: { data: node("load"), dimension: "t", reducer: reducer("mean") },
    },
    save: save("mean"),
  };
  const result = (process: object): Promise<Response> => service.post("/v1/openeo/result", { process });
  const validate = async (body: object): Promise<unknown> => (await service.post("/v1/openeo/validation", body)).json();

  test("that have defaults work as if these were written where they are named", { tags: ["OE17"] }, async () => {
    const [byDefault, byValue] = [await result({ process_graph: graph, parameters }), await post(written)];
    expect([byDefault.status, byValue.status]).toEqual([200, 200]);
    expect(Buffer.from(await byDefault.arrayBuffer())).toEqual(Buffer.from(await byValue.arrayBuffer()));
    for (const body of [{ process_graph: graph, parameters }, { process: { process_graph: graph, parameters } }]) {
      expect(await validate(body)).toEqual({ errors: [] });
    }
  });

  test("whose defaults are wrong are faults of the nodes that they come to", async () => {
    const wrong = [parameters[0], { ...bands, default: ["B99"] }, chosen];
    const errors = [{ code: "ProcessParameterInvalid", message: expect.stringMatching(/no band "B99".* Node: load$/) }];
    expect(await validate({ process_graph: graph, parameters: wrong })).toEqual({ errors });
    expect((await result({ process_graph: graph, parameters: wrong })).status).toBe(400);
  });

  test.each([
    ["declared without a default", [{ name: "box", schema: {} }, bands, chosen]],
    ["not declared", [bands, chosen]],
  ])("%s: a result needs them, validation says nothing against them", { tags: ["OE17"] }, async (_, given) => {
    const process = { process_graph: graph, parameters: given };
    const response = await result(process);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid-process-graph",
      openeoCode: "ProcessParameterMissing",
      message: 'The parameter "box" has no value and no default. Node: load',
    });
    // openEO API 1.2.0, POST /validation: unresolvable process parameters are no errors
    expect(await validate(process)).toEqual({ errors: [] });
    // what does not depend on them is looked at
    const lost = { ...graph, lost: load({ id: "none" }) };
    expect(await validate({ process_graph: lost, parameters: given })).toMatchObject({
      errors: [{ code: "CollectionNotFound" }],
    });
  });

  test("without a default are null where they are optional", async () => {
    const optional = [{ name: "bands", schema: {}, optional: true }, { name: "box", default: EXTENT }, chosen];
    expect((await result({ process_graph: graph, parameters: optional })).status).toBe(200);
  });

  test("of callbacks come before those of the process; of defaults that of the process comes first", {
    tags: ["OE17"],
  }, async () => {
    const add = (x: string, y: string) => ({
      process_id: "add",
      arguments: { x: { from_parameter: x }, y: { from_parameter: y } },
      result: true,
    });
    const inner = { process_graph: { add: add("x", "offset") }, parameters: [{ name: "offset", default: 1000 }] };
    const applied = {
      load: load({ bands: ["B04"] }),
      apply: { process_id: "apply", arguments: { data: node("load"), process: inner } },
      count: {
        process_id: "aggregate_spatial",
        arguments: {
          data: node("apply"),
          geometries: { type: "Point", coordinates: [13.4761, 45.5272] },
          reducer: reducer("max"),
        },
      },
      save: save("count", "JSON"),
    };
    const value = async (process: object): Promise<number> => {
      const rows = (await (await result(process)).json()) as Record<string, number[][]>;
      return Math.floor(Object.values(rows)[0]![0]![0]!);
    };
    expect(await value({ process_graph: applied })).toBe(1000);
    const own = [
      { name: "offset", default: 500 },
      { name: "x", default: 7000 },
    ];
    expect(await value({ process_graph: applied, parameters: own })).toBe(500);
  });

  test.each([
    [[{ name: "a b" }], 400],
    [[{ name: "box", default: { from_node: "load" } }], 400],
    [{}, 400],
    [[{}], 400],
    [null, 400],
  ])("%j are refused, or none", async (given, status) => {
    const response = await result({ process_graph: graph, parameters: given });
    expect([response.status, ((await response.json()) as Failure).code]).toEqual([status, "invalid-process-graph"]);
  });
});

describe("limits and costs", () => {
  /** 2 time steps of 2 bands of 40 × 30 pixels. */
  const units = ((40 * 30) / 262_144) * (2 / 3) * 2;
  const graph = { load: load(), save: save("load") };

  test("a GeoTIFF costs what it reads, twice for its 32 bits", { tags: ["OE8"] }, async () => {
    const response = await post(graph);
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("OpenEO-Costs"))).toBe(Math.ceil(2 * units * 10_000) / 10_000);
    expect(response.headers.get("OpenEO-Identifier")).toBe(response.headers.get("X-Request-Id"));
    expect(response.headers.get("X-Attribution")).toContain("Copernicus");
  });

  test("bands and time steps that nothing is computed of cost nothing", { tags: ["OE8"] }, async () => {
    const narrow = {
      load: load(),
      red: { process_id: "filter_bands", arguments: { data: node("load"), bands: ["B8A"] } },
      last: {
        process_id: "reduce_dimension",
        arguments: { data: node("red"), dimension: "t", reducer: reducer("array_element", { index: 1 }) },
      },
      save: save("last"),
    };
    const response = await post(narrow);
    expect(Number(response.headers.get("OpenEO-Costs"))).toBe(
      Math.max(0.005, Math.ceil((units / 2) * 10_000) / 10_000),
    );
  });

  test("what is resampled costs the pixels that it is computed of, however few come out", async () => {
    const resample = {
      process_id: "resample_spatial",
      arguments: { data: node("load"), resolution: 200, method: "average" },
    };
    const response = await post({ load: load(), resample, save: save("resample") });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("OpenEO-Costs"))).toBe(Math.ceil(2 * units * 10_000) / 10_000);
  });

  test("over the budget nothing is read, and the estimate is given", { tags: ["OE8"] }, async () => {
    const response = await post(graph, { budget: 0.001 });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "budget-exceeded",
      openeoCode: "BudgetInvalid",
      unitsEstimated: Math.ceil(2 * units * 10_000) / 10_000,
    });
    expect((await post(graph, { budget: null })).status).toBe(200);
  });

  test("a grid of more than 2,500 pixels a side is 413 with the numbers", { tags: ["OE9"] }, async () => {
    const wide = { west: 13, south: 45.2, east: 14, north: 45.9 };
    const response = await post({ load: load({ spatial_extent: wide }), save: save("load") });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      code: "output-too-large",
      openeoCode: "ProcessGraphComplexity",
      limits: { maxOutputWidth: 2500 },
    });
  });

  test("a scene that lacks a band which nothing is computed of is read; one that lacks another is named", {
    tags: ["OE13"],
  }, async () => {
    // no scene of both sensors has all bands of the collection
    const hls = load({ id: "hls", bands: null });
    const reduce = (band: string) => ({
      process_id: "reduce_dimension",
      arguments: { data: node("load"), dimension: "bands", reducer: reducer("array_element", { label: band }) },
    });
    const found = await post({ load: hls, red: reduce("red"), save: save("red") });
    expect([found.status, found.headers.get("X-Scenes-Skipped")]).toEqual([200, null]);
    const whole = await post({ load: hls, save: save("load") });
    expect(whole.status).toBe(422);
    expect(await whole.json()).toMatchObject({ code: "unknown-band", openeoCode: "ProcessParameterInvalid" });
  });

  test("images hold one band or three", async () => {
    const jpeg = await post({
      load: load({ bands: ["B04", "B03", "B02"], temporal_extent: ["2024-07-04", "2024-07-05"] }),
      scale: {
        process_id: "apply",
        arguments: {
          data: node("load"),
          process: callback({
            only: {
              process_id: "linear_scale_range",
              arguments: { x: { from_parameter: "x" }, inputMin: 0, inputMax: 0.3, outputMin: 0, outputMax: 255 },
            },
          }),
        },
      },
      save: save("scale", "JPEG"),
    });
    expect([jpeg.status, jpeg.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
    const two = await post({ load: load(), save: save("load", "PNG") });
    expect([two.status, ((await two.json()) as Failure).openeoCode]).toEqual([400, "FormatUnsuitable"]);
  });

  describe("an image that shows nothing is refused, and costs nothing", () => {
    const one = { temporal_extent: ["2024-07-04", "2024-07-05"] };
    const applied = (process: object, loaded: object) => ({
      load: load({ ...one, ...loaded }),
      apply: { process_id: "apply", arguments: { data: node("load"), process } },
      save: save("apply", "PNG"),
    });
    const x = { from_parameter: "x" };
    const above = (y: number, value: number) =>
      callback({
        above: { process_id: "gt", arguments: { x, y } },
        value: { process_id: "if", arguments: { value: node("above"), accept: value, reject: 0 } },
      });
    test.each([
      ["reflectance is black", { load: load({ bands: ["B04"], ...one }), save: save("load", "PNG") }, 400, "black"],
      ["as JPEG", { load: load({ bands: ["B04"], ...one }), save: save("load", "JPEG") }, 400, "black"],
      ["0 and 1 are black", applied(above(0.1, 1), { bands: ["B04"] }), 400, "black"],
      [
        "kelvin are white",
        {
          load: load({ id: "landsat-ot-l2", bands: ["ST_B10"], temporal_extent: ["2024-07-05", "2024-07-06"] }),
          save: save("load", "PNG"),
        },
        400,
        "white",
      ],
      ["0 and 255 are not", applied(above(0.1, 255), { bands: ["B04"] }), 200, ""],
      ["nor is 0 everywhere", applied(above(9, 255), { bands: ["B04"] }), 200, ""],
    ])("%s", { tags: ["OE22"] }, async (_, graph, status, colour) => {
      const admission = new UnitsAdmission(toUnits(100));
      const own = await testService(
        {},
        { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
      );
      const response = await own.post("/v1/openeo/result", { process: { process_graph: graph } });
      expect(response.status).toBe(status);
      if (status === 200) return;
      const { openeoCode, message } = (await response.json()) as Failure;
      expect([openeoCode, message]).toEqual([
        "FormatUnsuitable",
        expect.stringMatching(`would be ${colour}.* Node: save$`),
      ]);
      expect(admission.spent).toBe(0);
    });
  });
});

interface Series {
  readonly series: readonly { readonly datetime: string; readonly value: number | null }[];
}

describe("the same numbers by REST", () => {
  const series = async (geometry: unknown, expression: string): Promise<Series["series"]> => {
    const body = {
      geometry,
      collections: ["sentinel-2-l2a"],
      datetime: "2021-01-01T00:00:00Z/2026-06-16T00:00:00Z",
      expression,
      cloudMask: { exclude: [] },
    };
    const response = await service.post("/v1/timeseries", body);
    expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
    return ((await response.json()) as Series).series;
  };
  const byOpenEo = async (geometries: unknown, spatial_extent: unknown): Promise<readonly [string, unknown][]> => {
    const response = await post({
      load: load({ spatial_extent, temporal_extent: ["2021-01-01", "2026-06-16"] }),
      ndvi: { process_id: "ndvi", arguments: { data: node("load"), nir: "nir08" } },
      mean: {
        process_id: "aggregate_spatial",
        arguments: { data: node("ndvi"), geometries, reducer: reducer("mean") },
      },
      save: save("mean", "JSON"),
    });
    expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
    const rows = (await response.json()) as Record<string, readonly (readonly (number | null)[])[]>;
    return Object.entries(rows).map(([time, row]) => [time, row[0]?.[0]]);
  };
  const polygon = {
    type: "Polygon",
    coordinates: [
      [
        [13.472, 45.526],
        [13.4785, 45.5262],
        [13.479, 45.5296],
        [13.4725, 45.5299],
        [13.472, 45.526],
      ],
    ],
  };

  test.each([
    ["at a point", { type: "Point", coordinates: [13.4761, 45.5272] }],
    ["of a polygon", polygon],
  ])("an NDVI series %s is the same to the last digit", { tags: ["OE10"] }, async (_, geometry) => {
    const expected = await series(geometry, "(nir08 - red) / (nir08 + red)");
    const found = await byOpenEo(geometry, null);
    expect(expected.length).toBeGreaterThan(5);
    expect(expected.filter(({ value }) => value !== null).length).toBeGreaterThan(4);
    expect(found).toEqual(expected.map(({ datetime, value }) => [datetime.replace(/\.\d+Z$/, "Z"), value]));
  });
});

describe("what is not there", () => {
  test("filters that leave no time step are 404 NoDataAvailable", async () => {
    const response = await post({
      load: load(),
      ndvi: { process_id: "ndvi", arguments: { data: node("load"), nir: "B8A" } },
      later: { process_id: "filter_temporal", arguments: { data: node("ndvi"), extent: ["2024-07-20", null] } },
      save: save("later"),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "not-found", openeoCode: "NoDataAvailable" });
  });

  test("a result of which not one scene can be read is an error that names one, never an empty file", async () => {
    const { catalog } = await sandboxServices({ registry: FULL.registry });
    const broken = await testService(
      {
        catalog: {
          ...catalog,
          search: async (query, options) => {
            const page = await catalog.search(query, options);
            const items = page.items.map((item) => ({
              ...item,
              assets: Object.fromEntries(
                Object.entries(item.assets).map(([key, asset]) => [key, { ...asset, href: "archive:gone.tif" }]),
              ),
            }));
            return { ...page, items };
          },
        },
      },
      { profile: FULL },
    );
    const graph = { load: load({ bands: ["B04"] }), save: save("load") };
    const response = await broken.post("/v1/openeo/result", { process: { process_graph: graph } });
    expect(response.status).toBe(503);
    expect(((await response.json()) as Failure).detail).toMatch(/No scene could be read: of S2[AB]_T33T/);
  });
});
