import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { type AccountNode, DAY, HOUR, MINUTE, nodesOn, twoNodes } from "./account-service.ts";

describeEngines("keys of accounts", (host) => {
  const withNode = nodesOn(host);
  const search = async (node: AccountNode, key: string) =>
    (await node.get("/v1/search?limit=1", { "X-API-Key": key })).status;

  test("a key is shown once, with its client id, and is listed without its secret", { tags: ["AC8"] }, () =>
    withNode(
      async (node) => {
        const session = await node.signIn("ann@example.org");
        const answer = await node.send("POST", "/v1/keys", { name: "field team", expiresInDays: 365 }, session);
        expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([201, "no-store"]);
        const { secret, ...key } = await answer.json();
        expect(secret.slice(0, 6)).toBe("acme2_");
        expect(secret.slice(6)).toMatch(/^[0-9A-Za-z]{40}$/);
        expect(key).toEqual({
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          name: "field team",
          prefix: secret.slice(0, 8),
          scopes: ["data"],
          created: "2026-06-16T12:00:00.000Z",
          lastUsed: null,
          expires: "2027-06-16T12:00:00.000Z",
          status: "active",
          clientId: key.id,
        });
        const address = `http://service.test/v1/keys/${key.id}`;
        expect(answer.headers.get("Location")).toBe(address);
        expect(await (await node.send("GET", "/v1/keys", undefined, session)).json()).toEqual({
          keys: [key],
          links: [expect.objectContaining({ rel: "self" })],
        });
        expect(await search(node, secret)).toBe(200);
        const used = await (await node.send("GET", `/v1/keys/${key.id}`, undefined, session)).json();
        expect(used).toEqual({ ...key, lastUsed: "2026-06-16T12:00:00.000Z" });
        // of another prefix, or with another ending, it is no key
        expect(await search(node, secret.replace("acme2_", "swath_"))).toBe(401);
        expect(await search(node, `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`)).toBe(401);
        expect(await search(node, secret.slice(6))).toBe(401);
      },
      { keyPrefix: "acme2" },
    ),
  );

  test("last use is written at most once an hour", () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const { id, secret } = await node.createKey(session);
      const start = node.clock.now;
      const lastUsed = async () =>
        (await (await node.send("GET", `/v1/keys/${id}`, undefined, session)).json()).lastUsed;
      for (let minute = 0; minute <= 60; minute += 10) {
        node.clock.now = start + minute * MINUTE;
        await search(node, secret);
        expect(await lastUsed()).toBe(new Date(minute < 60 ? start : start + HOUR).toISOString());
      }
    }));

  test("an account has as many active keys as its tier allows, however many ask at once on two nodes", {
    tags: ["AC9"],
  }, () => {
    const clock = { now: Date.UTC(2026, 5, 16, 12) };
    return withNode(
      async (one) => {
        const session = await one.signIn("ann@example.org");
        const create = (name: string) => one.send("POST", "/v1/keys", { name }, session);
        const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => create(`k${i}`)));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...new Array(8).fill(409)]);
        const refused = answers.find(({ status }) => status === 409);
        expect(await refused?.json()).toMatchObject({ code: "key-limit", limits: { maxKeys: 2, activeKeys: 2 } });
        const [{ id = "" } = {}] = await one.accounts.keys.list((await one.accounts.accounts.list())[0]?.id ?? "");
        expect((await one.send("DELETE", `/v1/keys/${id}`, undefined, session)).status).toBe(204);
        clock.now += 10 * MINUTE;
        expect((await create("another")).status).toBe(201);
        expect((await create("one too many")).status).toBe(409);
        await one.accounts.accounts.setTier("ann@example.org", "pro");
        expect((await create("as pro")).status).toBe(201);
        expect((await (await one.send("GET", "/v1/account", undefined, session)).json()).keys).toEqual({
          active: 3,
          max: 5,
        });
      },
      { clock },
    );
  });

  test("two nodes together give no account more keys than it may have", { tags: ["AC9"] }, async () => {
    const nodes = await twoNodes(await host().fresh());
    try {
      const session = await nodes[0].signIn("ann@example.org");
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          (i % 2 === 0 ? nodes[0] : nodes[1]).send("POST", "/v1/keys", { name: "k" }, session),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  test(
    "an expired key is refused from that moment, makes room for another, and is listed as expired",
    { tags: ["AC10"] },
    () =>
      withNode(async (node) => {
        const session = await node.signIn("ann@example.org");
        const first = await node.createKey(session, { name: "short", expiresInDays: 1 });
        await node.createKey(session);
        node.clock.now += DAY - 1000;
        expect(await search(node, first.secret)).toBe(200);
        node.clock.now += 1000;
        expect(await search(node, first.secret)).toBe(401);
        await node.createKey(session);
        const { keys } = await (await node.send("GET", "/v1/keys", undefined, session)).json();
        expect(keys.map(({ status }: { status: string }) => status)).toEqual(["active", "active", "expired"]);
      }),
  );

  test("a revoked key stops everywhere within a minute, stays in the list, and may be revoked again", {
    tags: ["AC10"],
  }, async () => {
    const [one, other] = await twoNodes(await host().fresh());
    try {
      const session = await one.signIn("ann@example.org");
      const { id, secret } = await one.createKey(session);
      expect([await search(one, secret), await search(other, secret)]).toEqual([200, 200]);
      const revoke = () => one.send("DELETE", `/v1/keys/${id}`, undefined, session);
      expect((await revoke()).status).toBe(204);
      expect(await search(one, secret)).toBe(401);
      for (let second = 0; second < 60; second += 10) {
        one.clock.now += 10_000;
        await search(other, secret);
      }
      expect(await search(other, secret)).toBe(401);
      expect((await revoke()).status).toBe(204);
      expect(await (await one.send("GET", `/v1/keys/${id}`, undefined, session)).json()).toMatchObject({
        status: "revoked",
      });
    } finally {
      await one.close();
      await other.close();
    }
  });

  test("keys of other accounts are not there", { tags: ["AC10"] }, () =>
    withNode(async (node) => {
      const [ann, bob] = [await node.signIn("ann@example.org"), await node.signIn("bob@example.org")];
      const { id, secret } = await node.createKey(ann);
      for (const method of ["GET", "DELETE"]) {
        for (const each of [id, "nonsense", "%00", "a".repeat(24), "..%2f"]) {
          const answer = await node.send(method, `/v1/keys/${each}`, undefined, bob);
          expect([each, answer.status]).toEqual([each, 404]);
        }
      }
      expect(await (await node.send("GET", "/v1/keys", undefined, bob)).json()).toMatchObject({ keys: [] });
      expect(await search(node, secret)).toBe(200);
    }),
  );

  test("scopes say what a key is for", { tags: ["AC8"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      await node.accounts.accounts.setTier("ann@example.org", "pro");
      const data = await node.createKey(session);
      const account = await node.createKey(session, { name: "admin", scopes: ["account"] });
      const withKey = (key: { readonly secret: string }, method: string, path: string, body?: object) =>
        node.send(method, path, body, undefined, { "X-API-Key": key.secret });
      const refused = await withKey(data, "GET", "/v1/keys");
      expect(refused.status).toBe(403);
      expect(refused.headers.get("WWW-Authenticate")).toBe(
        'Bearer realm="swath", error="insufficient_scope", scope="account", ApiKey header="X-API-Key"',
      );
      expect(await refused.json()).toMatchObject({ code: "insufficient-scope" });
      expect((await withKey(account, "GET", "/v1/search?limit=1")).status).toBe(403);
      expect((await withKey(account, "POST", "/v1/keys", { name: "made by a key" })).status).toBe(201);
      // a key ends no session
      expect((await withKey(account, "DELETE", "/v1/account/session")).status).toBe(403);
    }),
  );

  test.each([
    [{}, "/name"],
    [{ name: "" }, "/name"],
    [{ name: "   " }, "/name"],
    [{ name: "x".repeat(65) }, "/name"],
    [{ name: "two\nlines" }, "/name"],
    [{ name: "nul\u0000" }, "/name"],
    [{ name: "half \ud800" }, "/name"],
    [{ name: "k", scopes: [] }, "/scopes"],
    [{ name: "k", scopes: ["data", "data"] }, "/scopes"],
    [{ name: "k", scopes: ["tiles"] }, "/scopes/0"],
    [{ name: "k", scopes: "data" }, "/scopes"],
    [{ name: "k", expiresInDays: 0 }, "/expiresInDays"],
    [{ name: "k", expiresInDays: 366 }, "/expiresInDays"],
    [{ name: "k", expiresInDays: 1.5 }, "/expiresInDays"],
    [{ name: "k", tier: "pro" }, "/tier"],
  ])("POST /v1/keys %j is 400 at %s", (body, pointer) =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const answer = await node.send("POST", "/v1/keys", body, session);
      expect(answer.status).toBe(400);
      expect((await answer.json()).errors[0].pointer).toBe(pointer);
    }),
  );
});
