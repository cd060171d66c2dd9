import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { type AccountNode, DAY, HOUR, MINUTE, nodesOn, twoNodes } from "./account-service.ts";

interface Listed {
  readonly id: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly expires: string;
  readonly current: boolean;
}

async function sessionsOf(node: AccountNode, session: string): Promise<readonly Listed[]> {
  const answer = await node.send("GET", "/v1/account/sessions", undefined, session);
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  return (await answer.json()).sessions;
}

describeEngines("sessions", (host) => {
  const withNode = nodesOn(host);

  test("the account's sessions are listed, and each can be ended by its id, here at once and everywhere in a minute", {
    tags: ["AC5"],
  }, async () => {
    const [one, other] = await twoNodes(await host().fresh());
    try {
      const first = await one.signIn("ann@example.org");
      one.clock.now += 2 * HOUR;
      const second = await one.signIn("ann@example.org");
      await other.signIn("bob@example.org");
      const listed = await sessionsOf(one, second);
      expect(listed).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          created: "2026-06-16T14:00:00.000Z",
          lastUsed: "2026-06-16T14:00:00.000Z",
          expires: "2026-06-23T14:00:00.000Z",
          current: true,
        },
        {
          id: expect.any(String),
          created: "2026-06-16T12:00:00.000Z",
          lastUsed: "2026-06-16T12:00:00.000Z",
          expires: "2026-06-23T12:00:00.000Z",
          current: false,
        },
      ]);
      const status = async (node: AccountNode) => (await node.send("GET", "/v1/account", undefined, first)).status;
      expect([await status(one), await status(other)]).toEqual([200, 200]);
      expect((await sessionsOf(one, second))[1]?.lastUsed).toBe("2026-06-16T14:00:00.000Z");
      const end = (id: string) => one.send("DELETE", `/v1/account/sessions/${id}`, undefined, second);
      expect((await end(listed[1]?.id ?? "")).status).toBe(204);
      expect(await status(one)).toBe(401);
      one.clock.now += MINUTE;
      expect(await status(other)).toBe(401);
      expect(await sessionsOf(other, second)).toHaveLength(1);
      // ended before, another's, and no id at all
      const [strangers] = await other.store.query(
        "select t.id from access_token t join account a on a.id = t.account_id where a.email = 'bob@example.org'",
      );
      for (const id of [listed[1]?.id ?? "", String(strangers?.id), "none", "%00"]) {
        expect([id, (await end(id)).status]).toEqual([id, 404]);
      }
    } finally {
      await one.close();
      await other.close();
    }
  });

  test("however much a session is used, it ends 30 days after it was begun, and says so", { tags: ["AC5"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const begun = node.clock.now;
      while (node.clock.now < begun + 25 * DAY) {
        node.clock.now += 5 * DAY;
        expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(200);
      }
      const [{ expires } = { expires: "" }] = await sessionsOf(node, session);
      expect(Date.parse(expires)).toBe(begun + 30 * DAY);
      node.clock.now = begun + 30 * DAY - 1;
      expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(200);
      node.clock.now = begun + 30 * DAY;
      expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(401);
    }),
  );

  test("a session that a node of the release before has renewed beyond 30 days ends all the same", () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      await node.store.query("update access_token set expires = $1", [node.clock.now + 90 * DAY]);
      node.clock.now += 31 * DAY;
      expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(401);
    }));
});

describeEngines("what a session alone may do", (host) => {
  const withNode = nodesOn(host);

  test(
    "a key of the scope account neither ends the account, nor sees or ends sessions, nor makes keys like itself",
    { tags: ["AC25"] },
    () =>
      withNode(async (node) => {
        const session = await node.signIn("ann@example.org");
        const key = await node.createKey(session, { name: "k", scopes: ["data", "account"] });
        const form = new URLSearchParams({
          grant_type: "client_credentials",
          client_id: key.id,
          client_secret: key.secret,
          scope: "account",
        });
        const { access_token } = await (await node.request("/oauth/token", { method: "POST", body: form })).json();
        const [{ id } = { id: "" }] = await sessionsOf(node, session);
        for (const headers of [{ "X-API-Key": key.secret }, { Authorization: `Bearer ${access_token}` }]) {
          const ask = async (method: string, path: string, body?: object) => {
            const answer = await node.send(method, path, body, undefined, headers);
            return answer.status === 403 ? (await answer.json()).code : answer.status;
          };
          expect(await ask("GET", "/v1/account")).toBe(200);
          expect(await ask("GET", "/v1/keys")).toBe(200);
          expect(await ask("DELETE", "/v1/account")).toBe("insufficient-scope");
          expect(await ask("GET", "/v1/account/sessions")).toBe("insufficient-scope");
          expect(await ask("DELETE", `/v1/account/sessions/${id}`)).toBe("insufficient-scope");
          expect(await ask("POST", "/v1/keys", { name: "x", scopes: ["account"] })).toBe("insufficient-scope");
          expect(await ask("POST", "/v1/keys", { name: "x", scopes: ["data", "account"] })).toBe("insufficient-scope");
        }
        const refused = await node.send("DELETE", "/v1/account", undefined, undefined, { "X-API-Key": key.secret });
        expect(refused.headers.get("WWW-Authenticate")).toContain('error="insufficient_scope", scope="session"');
        const made = { name: "x", scopes: ["data"] };
        expect((await node.send("POST", "/v1/keys", made, undefined, { "X-API-Key": key.secret })).status).toBe(201);
        expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(200);
      }),
  );
});
