import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Connection, Formula, OpenEO } from "@openeo/js-client";
import { memorySource, openCog } from "@swath/cog";
import { PROCESS_DEFINITIONS } from "@swath/openeo";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { EXTENT } from "../openeo/graphs.ts";
import { FULL, KEY } from "../tools/harness.ts";
import { type Served, serveSandbox } from "./served.ts";

let served: Served;
beforeAll(async () => {
  served = await serveSandbox(FULL);
});
afterAll(() => served.close());

const JULY: [string, string] = ["2024-07-01", "2024-08-01"];

/** The client has a function for each process that the service lists; its types know none. */
type Processes = Record<ProcessName, (...given: readonly unknown[]) => never>;
type ProcessName = "load_collection" | "reduce_dimension" | "apply" | "aggregate_spatial" | "save_result";

async function processesOf(connection: Connection): Promise<Processes> {
  return (await connection.buildProcess("")) as unknown as Processes;
}

async function connect(): Promise<Connection> {
  const connection = await OpenEO.connect(`${served.url}/v1/openeo`);
  await connection.authenticateBasic("anybody", KEY);
  return connection;
}

async function textOf(data: unknown): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of data as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

test("the JavaScript client connects by the versions, and lists what there is", { tags: ["OE12"] }, async () => {
  const connection = await OpenEO.connect(served.url);
  expect(connection.capabilities().apiVersion()).toBe("1.2.0");
  expect(connection.capabilities().hasFeature("computeResult")).toBe(true);
  const { collections } = await connection.listCollections();
  expect(collections.map(({ id }) => id)).toContain("sentinel-2-l2a");
  const collection = await connection.describeCollection("sentinel-2-l2a");
  expect(collection).toMatchObject({ "cube:dimensions": { bands: { type: "bands" } } });
  const { processes } = await connection.listProcesses();
  expect(processes.length).toBe(PROCESS_DEFINITIONS.length);
  const formats = await connection.listFileTypes();
  expect(Object.keys(formats.getOutputTypes())).toEqual(["GTIFF", "PNG", "JPEG", "JSON", "CSV"]);
});

test("it signs in with a key as the password, and is told who it is", { tags: ["OE12"] }, async () => {
  const connection = await connect();
  expect(connection.isAuthenticated()).toBe(true);
  expect((await connection.describeAccount()).user_id).not.toBe("");
  const other = await OpenEO.connect(`${served.url}/v1/openeo`);
  await expect(other.authenticateBasic("anybody", "wrong")).rejects.toThrow(/unknown or disabled/);
});

test("it builds a graph, validates it and computes it", { tags: ["OE12"] }, async () => {
  const connection = await connect();
  const builder = await processesOf(connection);
  const cube = builder.load_collection("sentinel-2-l2a", EXTENT, JULY, ["B04", "B8A"]);
  const index = builder.reduce_dimension(cube, new Formula("($B8A - $B04) / ($B8A + $B04)"), "bands");
  const mean = builder.reduce_dimension(index, new Formula("mean(data)"), "t");
  const scaled = builder.apply(mean, new Formula("linear_scale_range(x, -1, 1, 0, 255)"));
  const saved = builder.save_result(scaled, "PNG");
  expect([...(await connection.validateProcess(saved))]).toEqual([]);
  const result = await connection.computeResult(saved);
  expect(result.type).toBe("image/png");
  expect((await textOf(result.data)).slice(1, 4)).toBe("PNG");
});

test("it gets numbers as JSON, and the reason of a refusal", { tags: ["OE12"] }, async () => {
  const connection = await connect();
  const builder = await processesOf(connection);
  const cube = builder.load_collection("sentinel-2-l2a", null, JULY, ["B04"]);
  const point = { type: "Point", coordinates: [13.4761, 45.5272] };
  const values = builder.aggregate_spatial(cube, point, new Formula("mean(data)"));
  const result = await connection.computeResult(builder.save_result(values, "JSON"));
  const rows = JSON.parse(await textOf(result.data)) as Record<string, [[number]]>;
  expect(Object.keys(rows)).toEqual(["2024-07-04T10:07:41Z", "2024-07-06T09:59:41Z"]);
  const lost = await processesOf(connection);
  const nowhere = lost.save_result(lost.load_collection("nowhere", EXTENT, JULY), "GTiff");
  await expect(connection.computeResult(nowhere)).rejects.toThrow(/no collection "nowhere"/);
});

test("the code of the guide runs, and leaves a GeoTIFF", async () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guides/openeo.md"), "utf8");
  const code = /```js test=@openeo\/js-client\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const folder = mkdtempSync(join(import.meta.dirname, "guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = code.replaceAll("http://127.0.0.1:8080", served.url).replaceAll("your key", KEY);
  const script = `${own}\nif (faults.length > 0) throw new Error(JSON.stringify(faults));\n`;
  writeFileSync(join(folder, "guide.mjs"), script);
  await promisify(execFile)(process.execPath, ["guide.mjs"], { cwd: folder });
  const cog = await openCog(memorySource(new Uint8Array(readFileSync(join(folder, "fall.tif")))));
  expect(cog.bandCount).toBe(1);
  expect(JSON.parse(readFileSync(join(folder, "fall.json"), "utf8"))).toMatchObject({ process_graph: {} });
});
