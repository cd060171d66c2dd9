import { ownerIdentity } from "@swath/accounts";
import type { Store } from "@swath/store";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { openStore } from "../../src/open/open-store.ts";
import type { Services } from "../../src/operations/services.ts";
import { removeExpired } from "../../src/service/housekeeping.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { FULL, KEY, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { send, startSession } from "../tools/mcp-client.ts";

const START = Date.UTC(2026, 5, 16, 12);
const IDLE_MS = 30 * 60_000;
/** So many has one subject. */
const SESSIONS = 100;
const OTHER = "another-key";
const keys: Services["keys"] = {
  identify: async (key) => (key === KEY ? ownerIdentity("k1") : key === OTHER ? ownerIdentity("k2") : undefined),
};
const PING = { jsonrpc: "2.0", id: 9, method: "ping" };

/** Status and code of the answer to a ping in this session. */
async function ping(service: TestService, id: string, key = KEY): Promise<unknown[]> {
  const response = await send(service, PING, { "Mcp-Session-Id": id, "X-API-Key": key });
  const { code } = (await response.json()) as { code?: string };
  return [response.status, code];
}

const end = (service: TestService, id: string, key = KEY): Promise<Response> =>
  service.request("/mcp", { method: "DELETE", headers: { "X-API-Key": key, "Mcp-Session-Id": id } });

const LIVE = [200, undefined];
const EXPIRED = [404, "mcp-session-expired"];

describeEngines("sessions", (host) => {
  /** Two nodes of one service, and the clock of both. */
  const withNodes = async (
    work: (nodes: {
      a: TestService;
      b: TestService;
      store: Store;
      clock: { time: number };
      rows: () => Promise<number>;
    }) => Promise<void>,
  ): Promise<void> => {
    const settings = await host().fresh();
    const [store, second] = [await openStore(settings), await openStore(settings)];
    const clock = { time: START };
    const node = (own: Store): Promise<TestService> =>
      testService({ keys, mcpSessions: accountsOn(own, { now: () => clock.time }).mcpSessions }, { profile: FULL });
    const rows = async (): Promise<number> =>
      Number((await store.query("select count(*) as n from mcp_session"))[0]?.n);
    try {
      await work({ a: await node(store), b: await node(second), store, clock, rows });
    } finally {
      await Promise.all([store.close(), second.close()]);
    }
  };

  test("a session that one node started is found by every other", { tags: ["MC2"] }, () =>
    withNodes(async ({ a, b }) => {
      const { id } = await startSession(a);
      expect(id).toMatch(/^[\w-]{43}$/);
      expect(await ping(b, id)).toEqual(LIVE);
      expect((await end(b, id)).status).toBe(204);
      expect(await ping(a, id)).toEqual(EXPIRED);
      expect((await end(a, id)).status).toBe(404);
    }),
  );

  test("it ends when it was idle for 30 minutes, and lives on by use", { tags: ["MC2", "MC3"] }, () =>
    withNodes(async ({ a, clock, store, rows }) => {
      const { id } = await startSession(a);
      const { id: idle } = await startSession(a);
      clock.time += IDLE_MS - 1;
      expect(await ping(a, id)).toEqual(LIVE);
      clock.time += 1;
      expect(await ping(a, idle)).toEqual(EXPIRED);
      expect((await end(a, idle)).status).toBe(404);
      expect(await ping(a, id)).toEqual(LIVE);
      expect(await rows()).toBe(2);
      const services = await sandboxServices();
      await removeExpired({ ...services, mcpSessions: accountsOn(store, { now: () => clock.time }).mcpSessions });
      expect(await rows()).toBe(1);
      expect(await ping(a, id)).toEqual(LIVE);
    }),
  );

  test("it is of the one who started it", { tags: ["MC2"] }, () =>
    withNodes(async ({ a, b }) => {
      const { id } = await startSession(a);
      expect(await ping(b, id, OTHER)).toEqual(EXPIRED);
      expect((await end(b, id, OTHER)).status).toBe(404);
      expect(await ping(a, id)).toEqual(LIVE);
    }),
  );

  test(
    "one subject has so many, of which the least recently used ends; others are not touched",
    { tags: ["MC3"] },
    () =>
      withNodes(async ({ a, b, clock, rows }) => {
        const { id: others } = await startSession(a, { headers: { "X-API-Key": OTHER } });
        const ids: string[] = [];
        for (let i = 0; i < SESSIONS; i++) {
          clock.time += 1;
          ids.push((await startSession(i % 2 === 0 ? a : b)).id);
        }
        const [first = "", second = ""] = ids;
        clock.time += 1;
        expect(await ping(a, first)).toEqual(LIVE);
        await startSession(b);
        expect(await ping(a, second)).toEqual(EXPIRED);
        expect(await ping(a, first)).toEqual(LIVE);
        expect(await ping(a, others, OTHER)).toEqual(LIVE);
        expect(await rows()).toBe(SESSIONS + 1);
      }),
  );

  test("the store knows no id", { tags: ["MC3"] }, () =>
    withNodes(async ({ a, store }) => {
      const { id } = await startSession(a);
      const rows = await store.query("select * from mcp_session");
      expect(rows).toMatchObject([{ subject: "k1", protocol: "2025-11-25", created: START, used: START }]);
      expect(JSON.stringify(rows)).not.toContain(id);
    }),
  );
});
