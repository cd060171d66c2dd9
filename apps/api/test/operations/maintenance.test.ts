import {
  type MaintenanceOptions,
  type OwnerCommand,
  openMaintenance,
  runMaintenanceCommand,
  type StoredMaintenance,
} from "@swath/accounts/owner";
import type { Store } from "@swath/store";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { ProblemError } from "../../src/errors/problems.ts";
import { openStore } from "../../src/open/open-store.ts";
import { accountNode } from "../accounts/account-service.ts";
import { FULL, LEAN, sandboxServices, testService } from "../tools/harness.ts";

const START = Date.UTC(2026, 5, 16, 12);
const MINUTE = 60_000;
const SEARCH = { collections: ["sentinel-2-c1-l2a"], limit: 1 };
const TILE =
  "/legacy/tiles/collections/sentinel-2-c1-l2a/items/S2B_T33TUL_20240704T100211_L2A/tiles/WebMercatorQuad/11/1101/730.png?assets=visual";

describeEngines("maintenance", (host) => {
  interface Tools {
    readonly store: Store;
    readonly clock: { now: number };
    node(options?: MaintenanceOptions, store?: Store): Promise<StoredMaintenance>;
    command(line: string): Promise<{ code: number; text: string }>;
  }

  const withStore = async (work: (tools: Tools) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    const clock = { now: START };
    const nodes: StoredMaintenance[] = [];
    try {
      await work({
        store,
        clock,
        async node(options = {}, other = store) {
          const node = await openMaintenance(other, { now: () => clock.now, everyMs: 3_600_000, ...options });
          nodes.push(node);
          return node;
        },
        async command(line) {
          const lines: string[] = [];
          const print = (text: string): void => void lines.push(text);
          const parts: OwnerCommand = {
            program: "npm run maintenance --",
            store,
            now: () => clock.now,
            print,
            printError: print,
          };
          return { code: await runMaintenanceCommand(line.split(" "), parts), text: lines.join("\n") };
        },
      });
    } finally {
      for (const node of nodes) node.close();
      await store.close();
    }
  };

  test("the owner closes the service for a time, looks, and opens it", { tags: ["E6"] }, () =>
    withStore(async ({ clock, command }) => {
      expect(await command("status")).toEqual({ code: 0, text: "open" });
      expect((await command("on 30")).text).toContain("Closed until 2026-06-16T12:30:00.000Z.");
      expect(await command("status")).toEqual({ code: 0, text: "closed until 2026-06-16T12:30:00.000Z" });
      clock.now += 30 * MINUTE;
      expect((await command("status")).text).toBe("open");
      await command("on 1440");
      expect((await command("status")).text).toBe("closed until 2026-06-17T12:30:00.000Z");
      expect((await command("off")).code).toBe(0);
      expect((await command("status")).text).toBe("open");
      for (const wrong of ["", "on", "on 0", "on 1441", "on -5", "on 1e2", "on 5 6", "off now", "stop"]) {
        const { code, text } = await command(wrong);
        expect([wrong, code, text.split("\n")[0]]).toEqual([wrong, 2, "Usage: npm run maintenance -- COMMAND"]);
      }
      expect((await command("status")).text).toBe("open");
    }),
  );

  test(
    "every node hears of it, one that starts knows at once, and all open at the time that was named",
    { tags: ["E6"] },
    () =>
      withStore(async ({ clock, node, command, store }) => {
        let isAway = false;
        const flaky: Store = {
          ...store,
          query: (text, parameters) => (isAway ? Promise.reject(new Error("away")) : store.query(text, parameters)),
        };
        const changes: (number | undefined)[] = [];
        const [one, two] = [await node(), await node({ onChange: (until) => changes.push(until) }, flaky)];
        await command("on 10");
        expect([one.isOn(), two.isOn()]).toEqual([false, false]);
        await Promise.all([one.refresh(), two.refresh()]);
        expect([one.isOn(), two.isOn(), (await node()).isOn()]).toEqual([true, true, true]);
        expect(changes).toEqual([START + 10 * MINUTE]);
        // a node whose store is away keeps to what it knows, and to its end
        isAway = true;
        await expect(two.refresh()).rejects.toThrow("away");
        expect(two.isOn()).toBe(true);
        clock.now += 10 * MINUTE - 1;
        expect(() => two.check()).toThrow("until about 2026-06-16T12:10:00.000Z");
        clock.now += 1;
        expect([one.isOn(), two.isOn()]).toEqual([false, false]);
        expect(() => two.check()).not.toThrow();
      }),
  );

  test("nodes look by themselves, often enough for a minute", { tags: ["E6"] }, () =>
    withStore(async ({ node, command }) => {
      const one = await node({ everyMs: 20 });
      await command("on 10");
      await expect.poll(() => one.isOn()).toBe(true);
      await command("off");
      await expect.poll(() => one.isOn()).toBe(false);
    }),
  );

  test.each([
    { name: "full", profile: FULL },
    { name: "lean", profile: LEAN },
  ])(
    "closes the API, tools and legacy hosts of the $name profile; health and pages go on",
    { tags: ["E6"] },
    ({ name, profile }) =>
      withStore(async ({ node, command, clock }) => {
        const maintenance = await node();
        const services = await sandboxServices({ maintenance, registry: profile.registry });
        const service = await testService(services, { profile, check: false });
        await command("on 15");
        await maintenance.refresh();
        clock.now += MINUTE / 2;
        const paths = ["/v1", "/v1/search", "/v1/collections", "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png"];
        for (const path of name === "full" ? [...paths, "/v1/openapi.json", "/mcp", "/oauth/token"] : paths) {
          const answer = await service.get(path);
          expect([path, answer.status, answer.headers.get("Retry-After")]).toEqual([path, 503, "870"]);
          expect(answer.headers.get("Cache-Control")).toBe("no-store");
          if (path.startsWith("/v1")) expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
          expect(await answer.json()).toMatchObject({ code: "maintenance", retryAfter: 870 });
        }
        if (name === "full") {
          const openEo = await service.get("/v1/openeo/collections/sentinel-2-l2a");
          expect([openEo.status, (await openEo.json()).openeoCode]).toEqual([503, "InfrastructureMaintenance"]);
        }
        const legacy = [
          await service.post("/legacy/stac/search", SEARCH),
          await service.get(TILE),
          await service.get("/legacy/tiles/"),
          await service.post("/legacy/tiles/downloads", {}),
        ];
        for (const answer of legacy) expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "870"]);
        expect(await legacy[0]?.json()).toMatchObject({ code: "ServiceUnavailable" });
        expect(await legacy[1]?.json()).toEqual({
          detail: expect.stringContaining("closed for maintenance until about"),
        });
        for (const path of ["/v1/health", "/v1/health/", "/legacy/tiles/healthz", "/explorer/"]) {
          expect([path, (await service.request(path)).status]).not.toEqual([path, 503]);
        }
        const preflight = {
          method: "OPTIONS",
          headers: { Origin: "https://x.test", "Access-Control-Request-Method": "GET" },
        };
        expect((await service.request("/v1/search", preflight)).status).toBe(204);
        await command("off");
        await maintenance.refresh();
        expect((await service.get("/v1/search?limit=1")).status).toBe(200);
        expect((await service.post("/legacy/stac/search", SEARCH)).status).toBe(200);
      }),
  );

  test("lets persons revoke their keys", { tags: ["E6"] }, async () => {
    let isClosed = false;
    const check = (): void => {
      if (isClosed) throw new ProblemError("maintenance", "Closed.", { retryAfter: 60 });
    };
    const maintenance = { isOn: () => isClosed, check };
    const node = await accountNode(await host().fresh(), { services: { maintenance } });
    try {
      const session = await node.signIn("ann@example.org");
      const made = await (await node.send("POST", "/v1/keys", { name: "a key" }, session)).json();
      isClosed = true;
      expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(200);
      expect((await node.send("DELETE", `/v1/keys/${made.id}`, undefined, session)).status).toBe(204);
      expect((await node.send("GET", "/v1/search?limit=1", undefined, session)).status).toBe(503);
    } finally {
      await node.close();
    }
  });
});
