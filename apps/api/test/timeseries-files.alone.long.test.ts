import { readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Item } from "@swath/catalog";
import { RenderPool } from "@swath/engine/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { FULL, KEY, type TestService, testService } from "./harness.ts";
import { monthlyItems, pagedCatalog, writeMonths } from "./monthly-archive.ts";

/** 200 overpasses, the files of each at addresses of their own on a server of files, read by render threads. */
const OVERPASSES = 200;
const SIDE = 512;
const QUERY =
  "lon=15.0203&lat=45.1407&datetime=2023-01-01/2024-12-31&collections=sentinel-2-l2a&index=ndvi&exclude=nodata";

interface Row {
  readonly itemId: string;
  readonly value: number | null;
  readonly problem?: { readonly detail: string };
}

let directory: string;
let server: Server;
let root: string;
/** Paths that were asked for, in order. */
const asked: string[] = [];
/** Answers a request in place of the file; false: the file is sent. */
let instead: (path: string, response: ServerResponse) => boolean = () => false;
let renderer: RenderPool;

beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: 256, months: [1] });
  const files = new Map(
    await Promise.all(
      ["B04", "B08", "SCL"].map(async (band) => [band, await readFile(join(directory, `${band}-1.tif`))] as const),
    ),
  );
  const answer = ({ url = "", headers }: IncomingMessage, response: ServerResponse): void => {
    asked.push(url);
    if (instead(url, response)) return;
    const file = files.get(url.split("/")[2] ?? "") ?? Buffer.alloc(0);
    const [, first = "0", last = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const end = Math.min(Number(last) + 1, file.length);
    response.writeHead(206, { "Content-Range": `bytes ${first}-${end - 1}/${file.length}` });
    // as far away as an object store
    setTimeout(() => response.end(file.subarray(Number(first), end)), 20);
  };
  server = createServer(answer);
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  asked.length = 0;
  instead = () => false;
  const sources = { assetHosts: ["127.0.0.1"], s3: { region: "us-west-2" } };
  renderer = new RenderPool({ threads: 2, settings: { render: { blockCacheBytes: 16 << 20, sources } } });
});
afterEach(() => renderer.close());

function serving(
  http: { readonly deadlineMs?: number } = {},
  { count = OVERPASSES, prefix = "" } = {},
): Promise<TestService> {
  const [one] = monthlyItems({ side: SIDE, months: [1] }) as [Item];
  const items = Array.from({ length: count }, (_, i): Item => {
    const datetime = new Date(Date.UTC(2023, 0, 1 + 3 * i, 10)).toISOString();
    const href = (band: string): string => `${root}/${prefix}${i}/${band}`;
    const assets = Object.fromEntries(["B04", "B08", "SCL"].map((band) => [band, { href: href(band) }]));
    return { ...one, id: `scene-${i}`, properties: { ...one.properties, datetime }, assets };
  });
  return testService({ catalog: pagedCatalog(items).catalog, renderer, http }, { profile: FULL, check: false });
}

const seriesOf = async (response: Response): Promise<readonly Row[]> =>
  ((await response.json()) as { readonly series: readonly Row[] }).series;

test("one scene of 200 without a file has a row that says so, and the others have their values", {
  tags: ["TS10"],
}, async () => {
  const service = await serving();
  instead = (path, response) => {
    if (path !== "/120/B08") return false;
    response.writeHead(404).end();
    return true;
  };
  const response = await service.get(`/v1/timeseries?${QUERY}`);
  expect([response.status, response.headers.get("X-Scenes-Skipped")]).toEqual([200, "scene-120"]);
  const series = await seriesOf(response);
  expect(series).toHaveLength(OVERPASSES);
  expect(series.filter(({ problem }) => problem !== undefined).map(({ itemId }) => itemId)).toEqual(["scene-120"]);
  expect(series[120]).toMatchObject({ value: null, problem: { detail: expect.stringContaining("scene-120") } });
  expect(series.filter(({ value }) => typeof value === "number")).toHaveLength(OVERPASSES - 1);
});

test("a client that leaves in the middle ends the reading: the server of files gets no further request", {
  tags: ["TS10"],
}, async () => {
  const service = await serving();
  const client = new AbortController();
  const answer = service.request(`/v1/timeseries?${QUERY}`, {
    headers: { "X-API-Key": KEY },
    signal: client.signal,
  });
  const held: ServerResponse[] = [];
  instead = (_, response) => asked.length > 100 && held.push(response) > 0;
  await expect.poll(() => held.length).toBeGreaterThan(1);
  client.abort();
  expect((await answer).status).toBe(499);
  // nothing is on its way any more, and the threads answer another request
  await expect.poll(() => held.filter(({ closed }) => !closed)).toEqual([]);
  const then = asked.length;
  expect(then).toBeLessThan(3 * 2 * OVERPASSES * 0.9);
  instead = () => false;
  const other = await serving({}, { count: 8, prefix: "other" });
  expect(await seriesOf(await other.get(`/v1/timeseries?${QUERY}`))).toHaveLength(8);
  expect(asked.filter((path) => !path.startsWith("/other"))).toHaveLength(then);
});

test("a file that hangs is named when the time is over; the same request then reads that scene alone", {
  tags: ["TS10"],
}, async () => {
  const hanging: ServerResponse[] = [];
  instead = (path, response) => path === "/77/SCL" && hanging.push(response) > 0;
  const service = await serving({ deadlineMs: 14_000 });
  const response = await service.get(`/v1/timeseries?${QUERY}`);
  const { code, detail } = (await response.json()) as { readonly code: string; readonly detail: string };
  expect([response.status, code]).toEqual([504, "render-timeout"]);
  expect(detail).toMatch(/199 of 200 overpasses were read\. The first that was not is scene-77\./);
  for (const each of hanging) each.destroy();
  instead = () => false;
  asked.length = 0;
  const again = await service.get(`/v1/timeseries?${QUERY}`);
  expect(again.status).toBe(200);
  expect(await seriesOf(again)).toHaveLength(OVERPASSES);
  expect(new Set(asked.map((path) => path.split("/")[1]))).toEqual(new Set(["77"]));
});
