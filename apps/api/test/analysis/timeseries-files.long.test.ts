import { readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Item } from "@swath/catalog";
import { type Renderer, RenderPool } from "@swath/engine/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type HeldTimers, holdTimers } from "../../../../test/tools/held-timers.ts";
import { monthlyItems, pagedCatalog, writeMonths } from "../own/monthly-archive.ts";
import { FULL, KEY, type TestService, testService } from "../tools/harness.ts";

/** 200 overpasses, the files of each at addresses of their own on a server of files, read by render threads. */
const OVERPASSES = 200;
const SIDE = 512;
/** Time of a request that is held until a test lets it be over: how long 200 overpasses take is the machine's affair. */
const DEADLINE_MS = 27_001;
const QUERY =
  "lon=15.0203&lat=45.1407&datetime=2023-01-01/2024-12-31&collections=sentinel-2-l2a&index=ndvi&exclude=nodata";

/** For what hangs: the tests do not depend on it. */
const HANGS = { timeout: 100_000, interval: 20 };

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
let deadline: HeldTimers;
/** Overpasses that were reduced. */
let reduced: number;

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
  ({ deadline } = holdTimers({ deadline: DEADLINE_MS }));
  reduced = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await renderer.close();
});

/** The threads, whose reduced overpasses are counted. */
const counting = (): Renderer => ({
  render: (...given) => renderer.render(...given),
  extract: (...given) => renderer.extract(...given),
  compute: (job, options) =>
    renderer.compute(job, {
      ...options,
      onGroup: (group) => {
        options.onGroup?.(group);
        reduced += 1;
      },
    }),
  ping: (...given) => renderer.ping(...given),
  close: () => renderer.close(),
});

function serving({ count = OVERPASSES, prefix = "" } = {}): Promise<TestService> {
  const [one] = monthlyItems({ side: SIDE, months: [1] }) as [Item];
  const items = Array.from({ length: count }, (_, i): Item => {
    const datetime = new Date(Date.UTC(2023, 0, 1 + 3 * i, 10)).toISOString();
    const href = (band: string): string => `${root}/${prefix}${i}/${band}`;
    const assets = Object.fromEntries(["B04", "B08", "SCL"].map((band) => [band, { href: href(band) }]));
    return { ...one, id: `scene-${i}`, properties: { ...one.properties, datetime }, assets };
  });
  const { catalog } = pagedCatalog(items);
  return testService(
    { catalog, renderer: counting(), http: { deadlineMs: DEADLINE_MS } },
    { profile: FULL, check: false },
  );
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
  const isOther = (path: string): boolean => /^\/(other|further)/.test(path);
  const inTheMiddle = new Promise<void>((resolve) => {
    instead = (path, response) => {
      if (asked.length <= 100 || isOther(path)) return false;
      if (held.push(response) > 1) resolve();
      return true;
    };
  });
  await inTheMiddle;
  client.abort();
  expect((await answer).status).toBe(499);
  const readsOther = async (prefix: string): Promise<void> => {
    const other = await serving({ count: 8, prefix });
    expect(await seriesOf(await other.get(`/v1/timeseries?${QUERY}`))).toHaveLength(8);
  };
  const ofTheFirst = (): number => asked.filter((path) => !isOther(path)).length;
  // the threads answer another request: what they were told before they have heard
  await readsOther("other");
  // nothing is on its way any more, and nothing follows
  await expect.poll(() => held.filter(({ closed }) => !closed), HANGS).toEqual([]);
  const then = ofTheFirst();
  expect(then).toBeLessThan(3 * 2 * OVERPASSES * 0.9);
  await readsOther("further");
  expect(ofTheFirst()).toBe(then);
});

test("a file that hangs is named when the time is over; the same request then reads that scene alone", {
  tags: ["TS10"],
}, async () => {
  const hanging: ServerResponse[] = [];
  const scenes = new Set<string>();
  let scene: string | undefined;
  // one of the last that are opened, since a thread gives up a file that does not come for a minute
  instead = (path, response) => {
    const [, name = "", band] = path.split("/");
    if (scenes.add(name).size > OVERPASSES - 10) scene ??= name;
    return name === scene && band === "SCL" && hanging.push(response) > 0;
  };
  const service = await serving();
  const answer = service.get(`/v1/timeseries?${QUERY}`);
  await expect.poll(() => [reduced, hanging.length > 0], HANGS).toEqual([OVERPASSES - 1, true]);
  deadline.pass();
  const response = await answer;
  const { code, detail } = (await response.json()) as { readonly code: string; readonly detail: string };
  expect([response.status, code]).toEqual([504, "render-timeout"]);
  expect(detail).toContain(`199 of 200 overpasses were read. The first that was not is scene-${scene}.`);
  for (const each of hanging) each.destroy();
  instead = () => false;
  asked.length = 0;
  const again = await service.get(`/v1/timeseries?${QUERY}`);
  expect(again.status).toBe(200);
  expect(await seriesOf(again)).toHaveLength(OVERPASSES);
  expect(new Set(asked.map((path) => path.split("/")[1]))).toEqual(new Set([scene]));
});
