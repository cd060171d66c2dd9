import { parseEmailAddress } from "@swath/accounts";
import { pino } from "pino";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { removeExpired } from "../../src/service/housekeeping.ts";
import { type AccountNode, DAY, HOUR, MINUTE, nodesOn, twoNodes } from "./account-service.ts";

test.each([
  ["Ann@Example.ORG", "ann@example.org"],
  ["a.b+c=d@sub.example.org", "a.b+c=d@sub.example.org"],
  ["ann@bücher.example", "ann@xn--bcher-kva.example"],
  ["o'neil@example.org", "o'neil@example.org"],
  ["", undefined],
  ["ann", undefined],
  ["@example.org", undefined],
  ["ann@", undefined],
  ["ann@localhost", undefined],
  ["ann@example.org, eve@evil.example", undefined],
  ["ann@example.org\r\nBcc: eve@evil.example", undefined],
  ['"ann@example.org eve"@evil.example', undefined],
  ["ann@[192.0.2.1]", undefined],
  ["ann@192.0.2.1", undefined],
  ["ann@example.org>", undefined],
  ["<ann@example.org>", undefined],
  ["a..b@example.org", undefined],
  [".a@example.org", undefined],
  ["ann@-example.org", undefined],
  ["ann@example..org", undefined],
  ["ann@example.org%0a", undefined],
  ["ann@exa mple.org", undefined],
  ["änn@example.org", undefined],
  ["ann\u0000@example.org", undefined],
  [`${"a".repeat(65)}@example.org`, undefined],
  [`ann@${"a.".repeat(130)}org`, undefined],
])("the address %j is read as %j", (text, address) => {
  expect(parseEmailAddress(text)).toBe(address);
});

describeEngines("accounts", (host) => {
  const withNode = nodesOn(host);
  const withNodes = async (work: (one: AccountNode, other: AccountNode) => Promise<void>): Promise<void> => {
    const [one, other] = await twoNodes(await host().fresh());
    try {
      await work(one, other);
    } finally {
      await one.close();
      await other.close();
    }
  };

  test("the answer to a sign-up is the same where mails are files, and a header says so to the page", () =>
    withNode(
      async (node) => {
        const asked = await node.send("POST", "/v1/account", { email: "ann@example.org" });
        expect(await asked.json()).toEqual({ status: "verification-sent" });
        expect(asked.headers.get("X-Mail-Delivery")).toBe("outbox");
      },
      { mailer: { send: async () => {}, close: () => {} }, outbox: "unused" },
    ));

  test("whoever follows a mailed link has an account, a session and keys", { tags: ["AC1"] }, () =>
    withNode(async (node) => {
      const asked = await node.send("POST", "/v1/account", { email: "Ann@Example.org", name: "Ann" });
      expect([asked.status, await asked.json()]).toEqual([202, { status: "verification-sent" }]);
      expect(asked.headers.get("Cache-Control")).toBe("no-store");
      expect(asked.headers.has("X-Mail-Delivery")).toBe(false);
      const token = await node.mailedToken();
      expect(node.mails).toHaveLength(1);
      expect(node.mails[0]).toMatchObject({ to: "ann@example.org", subject: "Sign in at service.test" });
      expect(node.mails[0]?.text).toContain(`http://service.test/account#token=${token}`);
      const answer = await node.send("POST", "/v1/account/session", { token });
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([201, "no-store"]);
      const { accessToken, account, ...rest } = await answer.json();
      expect(rest).toEqual({ tokenType: "Bearer", expiresIn: 604_800 });
      expect(account).toMatchObject({ email: "ann@example.org", emailVerified: true, name: "Ann", tier: "free" });
      const read = await node.send("GET", "/v1/account", undefined, accessToken);
      expect(await read.json()).toEqual({
        ...account,
        created: "2026-06-16T12:00:00.000Z",
        limits: { unitsPerMonth: 10_000, unitsPerMinute: 300, requestsPerMinute: 600, concurrentRequests: 2, keys: 2 },
        keys: { active: 0, max: 2 },
      });
      expect(await (await node.send("PATCH", "/v1/account", { name: "Ann B." }, accessToken)).json()).toMatchObject({
        name: "Ann B.",
      });
      const key = await node.createKey(accessToken);
      expect((await node.get("/v1/search?limit=1", { "X-API-Key": key.secret })).status).toBe(200);
      // the same address again is the same account, and its name is not the stranger's who asked
      await node.send("POST", "/v1/account", { email: "ANN@example.org", name: "Eve" });
      const again = await node.send("POST", "/v1/account/session", { token: await node.mailedToken() });
      expect((await again.json()).account).toMatchObject({ id: account.id, name: "Ann B.", keys: { active: 1 } });
    }),
  );

  test("a link is good for one use on any node, and for an hour", { tags: ["AC1"] }, () =>
    withNodes(async (one, other) => {
      await one.send("POST", "/v1/account", { email: "ann@example.org" });
      const token = await one.mailedToken();
      const redeem = (node: AccountNode, link: string) => node.send("POST", "/v1/account/session", { token: link });
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => redeem(i % 2 === 0 ? one : other, token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401, 401, 401]);
      const refused = await redeem(other, token);
      expect(refused.headers.get("WWW-Authenticate")).toBe('Bearer realm="swath", ApiKey header="X-API-Key"');
      expect(await refused.json()).toMatchObject({ code: "invalid-key" });
      await one.send("POST", "/v1/account", { email: "ann@example.org" });
      const late = await one.mailedToken();
      one.clock.now += HOUR;
      expect((await redeem(one, late)).status).toBe(401);
      expect((await redeem(one, "nonsense")).status).toBe(401);
    }),
  );

  test(
    "the answer to a sign-up does not say whether the address has an account, and does not wait for the mail",
    { tags: ["AC2"] },
    () =>
      withNode(async (node) => {
        await node.signIn("known@example.org");
        const body = async (email: string) => {
          const answer = await node.send("POST", "/v1/account", { email });
          return [answer.status, await answer.text(), [...answer.headers.keys()].sort()];
        };
        expect(await body("known@example.org")).toEqual(await body("stranger@example.org"));
        // an account is made by the reader of the mail, not by who asks
        expect(await node.accounts.accounts.list()).toHaveLength(1);
      }),
  );

  test(
    "a mail that cannot be sent changes no answer, and the log names neither address nor link",
    { tags: ["AC2"] },
    () =>
      withNode(
        async (node) => {
          expect((await node.send("POST", "/v1/account", { email: "ann@example.org" })).status).toBe(202);
          await node.accounts.mails.idle();
          const line = node.logged.find((each) => each.includes("a mail was not sent"));
          expect(line).toBeDefined();
          expect(node.logged.join("")).not.toMatch(/ann@|example\.org|token=/);
        },
        { mailFault: new Error("550 no such user ann@example.org") },
      ),
  );

  test("one address gets five mails an hour, whoever asks, and the answer stays the same", () =>
    withNode(async (node) => {
      for (let i = 0; i < 8; i++) {
        expect((await node.send("POST", "/v1/account", { email: "ann@example.org" })).status).toBe(202);
      }
      await node.accounts.mails.idle();
      expect(node.mails).toHaveLength(5);
      node.clock.now += HOUR;
      await node.send("POST", "/v1/account", { email: "ann@example.org" });
      await node.accounts.mails.idle();
      expect(node.mails).toHaveLength(6);
    }));

  test(
    "sign-ups and new keys share 20 requests of a network in ten minutes, on all nodes together",
    { tags: ["AC4"] },
    () =>
      withNodes(async (one, other) => {
        const session = await one.signIn("ann@example.org");
        const from = { "X-Forwarded-For": "192.0.2.9" };
        const statuses = [];
        for (let i = 0; i < 22; i++) {
          const node = i % 2 === 0 ? one : other;
          const answer =
            i % 3 === 0
              ? await node.send("POST", "/v1/keys", { name: "k" }, session, from)
              : await node.send("POST", "/v1/account", { email: `p${i}@example.org` }, undefined, from);
          statuses.push(answer.status);
        }
        expect(statuses.slice(0, 20).every((status) => status !== 429)).toBe(true);
        expect(statuses.slice(20)).toEqual([429, 429]);
        const refused = await one.send("POST", "/v1/account", { email: "x@example.org" }, undefined, from);
        expect(refused.headers.get("Retry-After")).toBe("600");
        expect(await refused.json()).toMatchObject({ code: "ip-rate-limited", limits: { requests: 20 } });
        // another network is another count
        expect((await one.send("POST", "/v1/account", { email: "y@example.org" })).status).toBe(202);
        one.clock.now += 10 * MINUTE;
        expect((await one.send("POST", "/v1/account", { email: "z@example.org" }, undefined, from)).status).toBe(202);
      }),
  );

  test(
    "a session is renewed by use, at most once an hour, and ends seven days after the last and 30 after the first",
    { tags: ["AC5"] },
    () =>
      withNode(async (node) => {
        const session = await node.signIn("ann@example.org");
        const status = async () => (await node.send("GET", "/v1/account", undefined, session)).status;
        const expires = async () => Number((await node.store.query("select expires from access_token"))[0]?.expires);
        const first = await expires();
        node.clock.now += 30 * MINUTE;
        expect([await status(), await expires()]).toEqual([200, first]);
        node.clock.now += 31 * MINUTE;
        expect(await status()).toBe(200);
        expect(await expires()).toBe(node.clock.now + 7 * DAY);
        for (let day = 0; day < 24; day += 6) {
          node.clock.now += 6 * DAY;
          expect(await status()).toBe(200);
        }
        // an hour of the first day is over
        node.clock.now += 6 * DAY - 62 * MINUTE;
        expect(await status()).toBe(200);
        node.clock.now += MINUTE;
        expect(await status()).toBe(401);
        const other = await node.signIn("bob@example.org");
        node.clock.now += 7 * DAY;
        expect((await node.send("GET", "/v1/account", undefined, other)).status).toBe(401);
      }),
  );

  test("a session that has ended is refused everywhere within a minute, and here at once", { tags: ["AC5"] }, () =>
    withNodes(async (one, other) => {
      const session = await one.signIn("ann@example.org");
      const status = async (node: AccountNode) => (await node.send("GET", "/v1/account", undefined, session)).status;
      expect([await status(one), await status(other)]).toEqual([200, 200]);
      expect((await one.send("DELETE", "/v1/account/session", undefined, session)).status).toBe(204);
      expect(await status(one)).toBe(401);
      one.clock.now += MINUTE;
      expect(await status(other)).toBe(401);
    }),
  );

  test(
    "a deleted account is forgotten: address, name, keys, sessions, tokens and links; its id stays",
    { tags: ["AC6"] },
    () =>
      withNodes(async (one, other) => {
        const session = await one.signIn("ann@example.org");
        await one.send("PATCH", "/v1/account", { name: "Ann of Delft" }, session);
        const { id, secret } = await one.createKey(session);
        const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
        const { access_token } = await (await one.request("/oauth/token", { method: "POST", body: form })).json();
        await one.send("POST", "/v1/account", { email: "ann@example.org" });
        const link = await one.mailedToken();
        const search = (node: AccountNode, headers: Record<string, string>) => node.request("/v1/search", { headers });
        const held = [{ "X-API-Key": secret }, { Authorization: `Bearer ${access_token}` }];
        for (const headers of held) expect((await search(other, headers)).status).toBe(200);
        const [{ id: accountId } = { id: "" }] = await one.accounts.accounts.list();
        expect((await one.send("DELETE", "/v1/account", undefined, session)).status).toBe(204);
        one.clock.now += MINUTE;
        for (const headers of [...held, { Authorization: `Bearer ${session}` }]) {
          for (const node of [one, other]) expect((await search(node, headers)).status).toBe(401);
        }
        expect((await one.send("POST", "/v1/account/session", { token: link })).status).toBe(401);
        const tables = ["account", "account_key", "sign_in_link", "access_token", "address_count"];
        const rows = await Promise.all(tables.map((table) => one.store.query(`select * from ${table}`)));
        expect(JSON.stringify(rows)).not.toMatch(/ann@|Delft/);
        expect(rows[0]).toEqual([expect.objectContaining({ id: accountId, email: null, name: null })]);
        expect(rows.slice(1, 4)).toEqual([[], [], []]);
        // the address is free again, for another account
        await one.signIn("ann@example.org");
        expect((await one.accounts.accounts.list())[0]?.id).not.toBe(accountId);
      }),
  );

  test(
    "a suspended account's sessions, keys and tokens are 403 on every node within a minute, and work again when resumed",
    { tags: ["AC7"] },
    () =>
      withNodes(async (one, other) => {
        const session = await one.signIn("ann@example.org");
        const { id, secret } = await one.createKey(session, { name: "k", scopes: ["data", "account"] });
        const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
        const { access_token } = await (await one.request("/oauth/token", { method: "POST", body: form })).json();
        const held = [
          { "X-API-Key": secret },
          { Authorization: `Bearer ${session}` },
          { Authorization: `Bearer ${access_token}` },
        ];
        const answers = async () =>
          Promise.all(
            held.flatMap((headers) =>
              [one, other].map(async (node) => {
                const answer = await node.request("/v1/search?limit=1", { headers });
                return answer.status === 200 ? 200 : `${answer.status} ${(await answer.json()).code}`;
              }),
            ),
          );
        expect(await answers()).toEqual(new Array(6).fill(200));
        await one.accounts.accounts.suspend("ann@example.org");
        one.clock.now += MINUTE;
        expect(await answers()).toEqual(new Array(6).fill("403 key-suspended"));
        const refused = await one.request("/oauth/token", { method: "POST", body: form });
        expect([refused.status, (await refused.json()).error]).toEqual([400, "unauthorized_client"]);
        await one.send("POST", "/v1/account", { email: "ann@example.org" });
        const signIn = await one.send("POST", "/v1/account/session", { token: await one.mailedToken() });
        expect([signIn.status, (await signIn.json()).code]).toEqual([403, "key-suspended"]);
        await one.accounts.accounts.resume("ann@example.org");
        one.clock.now += MINUTE;
        expect(await answers()).toEqual(new Array(6).fill(200));
      }),
  );

  test(
    "a key of an account that the owner made answers email-unverified until its person follows a link",
    { tags: ["AC7"] },
    () =>
      withNode(async (node) => {
        const { id } = await node.accounts.accounts.create("bob@example.org", "pro");
        const made = { name: "first", scopes: ["data"], expires: undefined, max: 5 } as const;
        const { secret } = await node.accounts.keys.create(id, made);
        const search = () => node.get("/v1/search?limit=1", { "X-API-Key": secret });
        const refused = await search();
        expect([refused.status, (await refused.json()).code]).toEqual([403, "email-unverified"]);
        const session = await node.signIn("bob@example.org");
        node.clock.now += 5000;
        expect((await search()).status).toBe(200);
        expect(await (await node.send("GET", "/v1/account", undefined, session)).json()).toMatchObject({
          id,
          tier: "pro",
          limits: { unitsPerMonth: 200_000, keys: 5 },
        });
      }),
  );

  test("housekeeping removes expired tokens and counts of addresses", () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      await node.send("POST", "/v1/guest");
      const cleaned: number[] = [];
      const clean = () =>
        removeExpired({
          jobs: { removeExpired: async () => [] },
          results: { removeExpired: async () => [] },
          accounts: node.accounts,
          outbox: { removeExpired: async (now) => void cleaned.push(now) },
          now: () => new Date(node.clock.now),
          log: pino({ level: "silent" }),
        });
      const count = async (table: string) =>
        Number((await node.store.query(`select count(*) as n from ${table}`))[0]?.n);
      await clean();
      expect([await count("access_token"), await count("address_count")]).toEqual([2, 2]);
      node.clock.now += DAY + 1;
      await clean();
      expect([await count("access_token"), await count("address_count")]).toEqual([1, 0]);
      expect(cleaned.at(-1)).toBe(node.clock.now);
      expect((await node.send("GET", "/v1/account", undefined, session)).status).toBe(200);
    }));

  test("expired links, tokens, guests and keys that ended long ago are removed", () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const kept = await node.createKey(session);
      const revoked = await node.createKey(session);
      await node.send("DELETE", `/v1/keys/${revoked.id}`, undefined, session);
      await node.send("POST", "/v1/account", { email: "bob@example.org" });
      await node.send("POST", "/v1/guest");
      // the link is made when its mail is sent
      await node.accounts.mails.idle();
      const rows = async () => {
        const tables = ["access_token", "sign_in_link", "account_key"];
        return Promise.all(
          tables.map(async (table) => Number((await node.store.query(`select count(*) as n from ${table}`))[0]?.n)),
        );
      };
      expect(await rows()).toEqual([2, 1, 2]);
      node.clock.now += HOUR;
      await node.accounts.tokens.removeExpired();
      expect(await rows()).toEqual([1, 0, 2]);
      node.clock.now += 90 * DAY;
      await node.accounts.tokens.removeExpired();
      expect(await rows()).toEqual([0, 0, 1]);
      expect((await node.get("/v1/search?limit=1", { "X-API-Key": kept.secret })).status).toBe(200);
    }));
});
