import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openSpending,
  runSpendingCommand,
  type SpendingBounds,
  type SpendingCommand,
  type StoredSpending,
  type StoredSpendingOptions,
} from "@swath/accounts/owner";
import type { Store } from "@swath/store";
import { openResultFolder } from "@swath/store/node";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { openStore } from "../../src/open/open-store.ts";
import { FULL, KEY, NOW, sandboxServices, type TestService, testService } from "../tools/harness.ts";

const MAY = Date.parse("2026-05-20T10:00:00Z");
const JUNE = Date.parse("2026-06-02T10:00:00Z");

describeEngines("the spending stop", (host) => {
  interface Tools {
    readonly store: Store;
    node(bounds?: SpendingBounds, options?: StoredSpendingOptions): Promise<StoredSpending>;
    command(line: string, now?: number): Promise<{ code: number; lines: string[] }>;
  }

  const withStore = async (work: (tools: Tools) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    const nodes: StoredSpending[] = [];
    try {
      await work({
        store,
        async node(bounds = {}, options = {}) {
          const node = await openSpending(store, bounds, { now: () => MAY, everyMs: 3_600_000, ...options });
          nodes.push(node);
          return node;
        },
        async command(line, now = MAY) {
          const lines: string[] = [];
          const print = (text: string): void => void lines.push(text);
          const parts: SpendingCommand = {
            program: "npm run spending --",
            store,
            bounds: { maxBytes: 2e9 },
            now: () => now,
            print,
            printError: print,
          };
          return { code: await runSpendingCommand(line.split(" "), parts), lines };
        },
      });
    } finally {
      await Promise.allSettled(nodes.map((node) => node.close()));
      await store.close();
    }
  };

  test("nodes count together, and all of them stop when the month's requests are used up", () =>
    withStore(async ({ node }) => {
      const [one, two] = [await node({ maxRequests: 100 }), await node({ maxRequests: 100 })];
      one.count({ requests: 60, bytes: 1 });
      await one.flush();
      two.count({ requests: 39, bytes: 1 });
      await two.refresh();
      expect([one.isStopped(), two.isStopped(), two.spent().requests]).toEqual([false, false, 99]);
      two.count({ requests: 1, bytes: 1 });
      await two.refresh();
      await one.refresh();
      expect([one.isStopped(), two.isStopped()]).toEqual([true, true]);
      expect(() => one.check()).toThrow(/^The spending stop is on: this month's allowance/);
    }));

  test("bytes count too, and a node that starts later knows of the stop at once", () =>
    withStore(async ({ node }) => {
      const one = await node({ maxBytes: 1e9 });
      one.count({ requests: 1, bytes: 1e9 });
      await one.refresh();
      expect((await node({ maxBytes: 1e9 })).isStopped()).toBe(true);
    }));

  test("concurrent counts of many nodes add up", () =>
    withStore(async ({ node }) => {
      const nodes = await Promise.all(Array.from({ length: 5 }, () => node()));
      await Promise.all(
        nodes.flatMap((each) =>
          Array.from({ length: 20 }, () => {
            each.count({ requests: 1, bytes: 10 });
            return each.refresh();
          }),
        ),
      );
      const last = await node();
      expect(last.spent()).toEqual({ requests: 100, bytes: 1000 });
    }));

  test("a stop lasts into the next month, until the owner lifts it", { tags: ["M6"] }, () =>
    withStore(async ({ node, command }) => {
      const may = await node({ maxRequests: 1 });
      may.count({ requests: 1, bytes: 0 });
      await may.refresh();
      const june = await node({ maxRequests: 1 }, { now: () => JUNE });
      expect(june.isStopped()).toBe(true);
      expect((await command("lift", JUNE)).code).toBe(0);
      await june.refresh();
      expect(june.isStopped()).toBe(false);
    }),
  );

  test("lifting within the month grants the allowance once more, and no more than once", () =>
    withStore(async ({ node, command }) => {
      const one = await node({ maxRequests: 10 });
      one.count({ requests: 15, bytes: 0 });
      await one.refresh();
      await command("lift");
      await one.refresh();
      expect(one.isStopped()).toBe(false);
      one.count({ requests: 9, bytes: 0 });
      await one.refresh();
      expect(one.isStopped()).toBe(false);
      one.count({ requests: 1, bytes: 0 });
      await one.refresh();
      expect(one.isStopped()).toBe(true);
    }));

  test("the owner stops, looks and lifts by command line", () =>
    withStore(async ({ node, command }) => {
      const one = await node();
      one.count({ requests: 3, bytes: 1_500_000_000 });
      await one.refresh();
      expect((await command("stop")).code).toBe(0);
      await one.refresh();
      expect(() => one.check()).toThrow(/the owner has stopped/);
      expect((await command("status")).lines).toEqual([
        "state     stopped by the owner since 2026-05-20T10:00:00.000Z",
        "month     2026-05 (UTC)",
        "requests  3",
        "read      1.500 GB of 2.000 GB",
      ]);
      await command("lift");
      expect((await command("status")).lines.at(-1)).toBe("counted   from 3 requests and 1.500 GB, when it was lifted");
      expect((await command("halt")).code).toBe(2);
      expect((await command("stop now")).code).toBe(2);
    }));

  test("counts that could not be written are kept for the next time", () =>
    withStore(async ({ store, node }) => {
      let broken = true;
      const flaky: Store = {
        ...store,
        query: (text, parameters) =>
          broken && text.startsWith("insert into spending")
            ? Promise.reject(new Error("away"))
            : store.query(text, parameters),
      };
      broken = false;
      const one = await openSpending(flaky, {}, { now: () => MAY, everyMs: 3_600_000 });
      broken = true;
      one.count({ requests: 2, bytes: 5 });
      await expect(one.refresh()).rejects.toThrow("away");
      broken = false;
      await one.close();
      expect((await node()).spent()).toEqual({ requests: 2, bytes: 5 });
    }));

  test(
    "a stop ends the API, legacy tiles and downloads; health and legacy search go on, and no request is counted",
    { tags: ["M6"] },
    () =>
      withStore(async ({ node, command }) => {
        const spending = await node();
        let admitted = 0;
        const limits = { admit: async () => void admitted++ };
        const service = await testService({ spending, limits }, { check: false });
        const full = await testService({ spending, registry: FULL.registry }, { profile: FULL, check: false });
        const tile =
          "/legacy/tiles/collections/sentinel-2-c1-l2a/items/S2B_T33TUL_20240704T100211_L2A/tiles/WebMercatorQuad/11/1101/730.png?assets=visual";
        const search = (from: TestService): Promise<Response> =>
          from.post("/legacy/stac/search", { collections: ["sentinel-2-c1-l2a"], limit: 1 });
        expect((await service.get("/v1/search?limit=1")).status).toBe(200);
        await command("stop");
        await spending.refresh();
        admitted = 0;
        const paths = ["/v1", "/v1/search", "/v1/collections", "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png"];
        for (const path of paths) {
          const response = await service.get(path);
          expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, null]);
          const problem = (await response.json()) as Record<string, unknown>;
          expect(problem).toMatchObject({
            code: "upstream-unavailable",
            detail: expect.stringContaining("spending stop"),
          });
          expect(problem).not.toHaveProperty("retryAfter");
        }
        const openEo = await full.get("/v1/openeo/collections/sentinel-2-l2a");
        expect([openEo.status, await openEo.json()]).toEqual([
          503,
          expect.objectContaining({ openeoCode: "InfrastructureBusy" }),
        ]);
        expect((await service.post("/v1/process/jobs", {})).status).toBe(503);
        expect((await service.get(tile)).status).toBe(503);
        expect((await service.post("/legacy/tiles/downloads", {})).status).toBe(503);
        expect(admitted).toBe(0);
        expect((await search(service)).status).toBe(200);
        expect((await service.request("/v1/health", { headers: { "X-API-Key": KEY } })).status).toBe(200);
        expect((await service.request("/legacy/tiles/healthz")).status).toBe(200);
        await command("lift");
        await spending.refresh();
        expect((await service.get("/v1/search?limit=1")).status).toBe(200);
        expect((await service.get(tile)).status).toBe(200);
      }),
  );

  test("during a stop finished jobs are looked up and their files read, and no job is taken", { tags: ["M6"] }, () =>
    withStore(async ({ node, command }) => {
      const folder = await mkdtemp(join(tmpdir(), "swath-spending-"));
      try {
        const spending = await node();
        const services = await sandboxServices({ spending, results: openResultFolder(join(folder, "results")) });
        const service = await testService(services);
        const { id, directory } = await services.results.allocate();
        await writeFile(join(directory, "a.tif"), "0123456789");
        const taken = await service.post("/v1/process/jobs", {
          input: {
            bounds: { bbox: [12.6, 45.2, 12.9, 45.4] },
            data: [{ type: "sentinel-2-l2a", dataFilter: { ids: ["S2B_T33TUL_20240704T100211_L2A"] } }],
          },
          output: {},
        });
        const job = ((await taken.json()) as { id: string }).id;
        await services.jobs.claim("worker", 60_000);
        const result = { files: [], itemsUsed: ["S2B_T33TUL_20240704T100211_L2A"], itemsSkipped: [] };
        await services.jobs.finish(job, "worker", { result });
        await command("stop");
        await spending.refresh();
        const polled = await service.get(`/v1/process/jobs/${job}`);
        expect([polled.status, ((await polled.json()) as { status: string }).status]).toEqual([200, "done"]);
        const link = services.resultLinks.sign("", id, "a.tif", NOW).href;
        expect(await (await service.request(link)).text()).toBe("0123456789");
        expect((await service.request(link, { method: "HEAD" })).status).toBe(200);
        expect((await service.post("/v1/process/jobs", {})).status).toBe(503);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
  );
});
