import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type WatchedQueue, watchedQueue } from "@swath/store/jobs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEngine } from "../../../../test/tools/engines.ts";
import { freePort } from "../../../../test/tools/free-port.ts";
import { hasPostgres } from "../../../../test/tools/postgres-server.ts";
import { parseEnvironment } from "../../src/open/environment/environment.ts";
import { createReadiness } from "../../src/operations/readiness.ts";
import { memoryQueue } from "../process/memory-queue.ts";
import { problemOf } from "../tools/answers.ts";
import { FULL, LEAN, testService } from "../tools/harness.ts";
import { FleetNode } from "./fleet/node.ts";

const away = (): Promise<never> => Promise.reject(new Error("away"));
const well = (): Promise<void> => Promise.resolve();
const READY = { status: "ready", checks: { store: "ok", renderer: "ok", queue: "ok", results: "ok" } };

test("a node whose parts all answer lives and is ready, for everybody and kept by no cache", {
  tags: ["Q15"],
}, async () => {
  const service = await testService();
  for (const [path, body] of [
    ["/live", { status: "live" }],
    ["/ready", READY],
  ] as const) {
    const response = await service.request(path);
    expect([response.status, await response.json()]).toEqual([200, body]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
});

test.each([
  { part: "store", without: { pingStore: away } },
  { part: "queue", without: { pingQueue: away } },
  { part: "folder of results", check: "results", without: { pingResults: away } },
])(
  "a node whose $part does not answer lives, and is not ready: 503 names it",
  { tags: ["Q15"] },
  async ({ part, check = part, without }) => {
    for (const profile of [LEAN, FULL]) {
      const service = await testService(without, { profile });
      const response = await service.request("/ready");
      expect(response.status).toBe(503);
      expect(await problemOf(response)).toMatchObject({
        code: "upstream-unavailable",
        detail: `This node is not ready: the ${part} did not answer.`,
        checks: { ...READY.checks, [check]: "unavailable" },
      });
      expect(response.headers.get("Retry-After")).toBe("5");
      expect((await service.request("/live")).status).toBe(200);
    }
  },
);

describe("readiness", () => {
  const renderer = { ping: well };

  test("names render threads that do not answer", async () => {
    const readiness = createReadiness({ renderer: { ping: away } as never });
    await expect(readiness()).rejects.toMatchObject({
      code: "upstream-unavailable",
      members: { checks: { ...READY.checks, renderer: "unavailable" } },
    });
  });

  test("asks the parts once for all who ask at the same time and within a second", async () => {
    let asked = 0;
    let now = 0;
    const pingStore = async (): Promise<void> => {
      asked += 1;
    };
    const readiness = createReadiness({ renderer: renderer as never, pingStore }, () => now);
    await Promise.all(Array.from({ length: 100 }, readiness));
    now = 999;
    await readiness();
    expect(asked).toBe(1);
    now = 1000;
    await readiness();
    expect(asked).toBe(2);
  });
});

describe("a watched queue", () => {
  let now = 0;
  let queue: WatchedQueue;

  test("is left alone once it has not answered its worker for half a minute", async () => {
    queue = watchedQueue(memoryQueue(Date.now), () => now);
    now = 29_000;
    await queue.claim("worker", 1000);
    now = 59_000;
    expect(() => queue.checkWorker()).not.toThrow();
    now = 59_001;
    expect(() => queue.checkWorker()).toThrow("The queue has not answered for 30 s.");
  });

  test("counts no question that fails", async () => {
    const failing = { ...memoryQueue(Date.now), claim: away };
    now = 0;
    queue = watchedQueue(failing, () => now);
    now = 31_000;
    await expect(queue.claim("worker", 1000)).rejects.toThrow("away");
    expect(() => queue.checkWorker()).toThrow();
  });
});

test("probes are for this machine alone unless an address is named", () => {
  expect(parseEnvironment({})).not.toHaveProperty("probes");
  expect(parseEnvironment({ SWATH_HEALTH_PORT: "8081" }).probes).toEqual({ host: "127.0.0.1", port: 8081 });
  expect(parseEnvironment({ SWATH_HEALTH_PORT: "8081", SWATH_HEALTH_HOST: "0.0.0.0" }).probes?.host).toBe("0.0.0.0");
});

const title = hasPostgres ? "a worker" : "a worker (skipped: PostgreSQL is not installed)";
describe.skipIf(!hasPostgres)(title, () => {
  let folder: string;
  let port: number;
  let worker: FleetNode;
  let stopped: Promise<void> | undefined;
  let database: Awaited<ReturnType<typeof startEngine>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "swath-readiness-"));
    database = await startEngine("postgres");
    port = await freePort();
    worker = new FleetNode("worker", {
      SWATH_ROLE: "worker",
      SWATH_DATA_DIR: folder,
      SWATH_UPSTREAM_URL: "http://127.0.0.1:9/stac",
      SWATH_WORKERS: "1",
      SWATH_HEALTH_PORT: String(port),
      DATABASE_URL: (await database.fresh()).databaseUrl ?? "",
    });
    await worker.start();
  });
  afterAll(async () => {
    await worker.kill();
    await (stopped ?? database.stop());
    await rm(folder, { recursive: true, force: true });
  });
  const ask = (path: string, method = "GET"): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { Connection: "close" } });

  test("answers /live and /ready at an address of its own, and nothing else", async () => {
    expect(await (await ask("/live")).json()).toEqual({ status: "live" });
    // its database has three seconds to answer, and on a busy machine may need more
    const ready = async (): Promise<unknown> => {
      const answer = await ask("/ready");
      return [answer.status, await answer.json()];
    };
    await expect.poll(ready).toEqual([200, READY]);
    const head = await ask("/ready", "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await ask("/v1/health")).status).toBe(404);
    expect((await ask("/ready", "POST")).status).toBe(405);
  });

  test("is not ready without its database, lives on, and still stops in time", { tags: ["Q15"] }, async () => {
    stopped = database.stop();
    await stopped;
    await expect.poll(async () => (await ask("/ready")).status).toBe(503);
    const response = await ask("/ready");
    expect([response.headers.get("Content-Type"), response.headers.get("Retry-After")]).toEqual([
      "application/problem+json",
      "5",
    ]);
    expect(await response.json()).toMatchObject({
      code: "upstream-unavailable",
      detail: "This node is not ready: the store and the queue did not answer.",
      checks: { store: "unavailable", renderer: "ok", queue: "unavailable", results: "ok" },
    });
    expect((await ask("/live")).status).toBe(200);
    expect(await worker.stop()).toBe(0);
  });
});
