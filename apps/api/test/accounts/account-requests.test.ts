import type { SpendingStop } from "@swath/accounts/owner";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { ProblemError } from "../../src/errors/problems.ts";
import { openStore } from "../../src/open/open-store.ts";
import { type AccountNode, accountNode, MINUTE, nodesOn, twoNodes } from "./account-service.ts";
import { accountsOn } from "./accounts-on.ts";

describeEngines("requests about accounts", (host) => {
  const withNode = nodesOn(host);

  test("600 malformed requests a minute with a key do not keep its person from revoking it", {
    tags: ["AC24"],
  }, async () => {
    const settings = await host().fresh();
    const store = await openStore(settings);
    const clock = { now: Date.UTC(2026, 5, 16, 12, 0, 1) };
    const { units, close } = accountsOn(store, { now: () => clock.now });
    const node = await accountNode(settings, { clock, services: { units } });
    try {
      const session = await node.signIn("ann@example.org");
      const key = await node.createKey(session, { name: "k", scopes: ["data", "account"] });
      const stolen = { "X-API-Key": key.secret };
      let refused = 0;
      for (let i = 0; i < 620; i++) refused += (await node.get("/v1/search?limit=bad", stolen)).status === 429 ? 1 : 0;
      expect(refused).toBeGreaterThanOrEqual(20);
      // and whatever it sends to the account's own routes
      const asked = [];
      for (let i = 0; i < 62; i++) asked.push((await node.get("/v1/keys", stolen)).status);
      expect(asked).toEqual([...new Array(60).fill(200), 429, 429]);
      expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(200);
      expect((await node.send("GET", "/v1/keys", undefined, session)).status).toBe(200);
      expect((await node.send("DELETE", `/v1/keys/${key.id}`, undefined, session)).status).toBe(204);
      expect((await node.get("/v1/search?limit=1", stolen)).status).toBe(401);
      expect((await node.send("DELETE", "/v1/account", undefined, session)).status).toBe(204);
    } finally {
      await node.close();
      await close();
      await store.close();
    }
  });

  test("an account's sessions send 60 requests about it in a minute, over all nodes, and others are told when to come back", {
    tags: ["AC24"],
  }, async () => {
    const nodes = await twoNodes(await host().fresh());
    try {
      const session = await nodes[0].signIn("ann@example.org");
      const read = (i: number) => (nodes[i % 2] as AccountNode).send("GET", "/v1/account", undefined, session);
      const statuses = [];
      for (let i = 0; i < 63; i++) statuses.push((await read(i)).status);
      expect(statuses).toEqual([...new Array(60).fill(200), 429, 429, 429]);
      const refused = await read(0);
      expect(refused.headers.get("Retry-After")).toBe("60");
      expect(await refused.json()).toMatchObject({ code: "rate-limited", limits: { requests: 60, windowSeconds: 60 } });
      // data goes on, and so do others
      const search = { Authorization: `Bearer ${session}` };
      expect((await nodes[0].request("/v1/search?limit=1", { headers: search })).status).toBe(200);
      const bob = await nodes[1].signIn("bob@example.org");
      expect((await nodes[1].send("GET", "/v1/account", undefined, bob)).status).toBe(200);
      nodes[0].clock.now += MINUTE;
      expect((await read(0)).status).toBe(200);
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  test("the spending stop does not stop requests about accounts", { tags: ["AC24"] }, () => {
    let isStopped = false;
    const spending: SpendingStop = {
      isStopped: () => isStopped,
      check: () => {
        if (isStopped) throw new ProblemError("upstream-unavailable", "The spending stop is on.");
      },
      count: () => {},
    };
    return withNode(
      async (node) => {
        const session = await node.signIn("ann@example.org");
        const key = await node.createKey(session);
        isStopped = true;
        const ask = async (method: string, path: string) => (await node.send(method, path, undefined, session)).status;
        expect(await ask("GET", "/v1/account")).toBe(200);
        expect(await ask("GET", "/v1/account/sessions")).toBe(200);
        expect(await ask("GET", "/v1/keys")).toBe(200);
        expect(await ask("DELETE", `/v1/keys/${key.id}`)).toBe(204);
        expect(await ask("GET", "/v1/search")).toBe(503);
        expect(await ask("GET", "/v1/accountants")).toBe(503);
        expect(await ask("DELETE", "/v1/account/session")).toBe(204);
      },
      { services: { spending } },
    );
  });
});
