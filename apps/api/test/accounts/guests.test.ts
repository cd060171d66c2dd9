import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { KEY } from "../tools/harness.ts";
import { type AccountNode, HOUR, MINUTE, nodesOn, SITE } from "./account-service.ts";

const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png";
const FOREIGN = "https://elsewhere.example";

describeEngines("guests", (host) => {
  const run = nodesOn(host);
  const withNode = (work: (node: AccountNode) => Promise<void>, siteOrigins: readonly string[] = []): Promise<void> =>
    run(work, { services: { http: { publicUrl: SITE, trustedProxies: 1, siteOrigins } } });
  const guest = async (node: AccountNode, origin?: string) =>
    node.request("/v1/guest", { method: "POST", ...(origin === undefined ? {} : { headers: { Origin: origin } }) });
  const tokenOf = async (node: AccountNode, origin?: string): Promise<string> =>
    ((await (await guest(node, origin)).json()) as { accessToken: string }).accessToken;
  const ask = async (node: AccountNode, path: string, token: string, origin?: string) => {
    const headers = { Authorization: `Bearer ${token}`, ...(origin === undefined ? {} : { Origin: origin }) };
    const answer = await node.request(path, { headers });
    return answer.status === 200 ? 200 : `${answer.status} ${((await answer.json()) as { code: string }).code}`;
  };

  test(
    "a page of the website gets a token of an hour and 100 units, for tiles and previews alone",
    { tags: ["AC14"] },
    () =>
      withNode(async (node) => {
        const answer = await guest(node, SITE);
        expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([201, "no-store"]);
        const { accessToken, ...rest } = await answer.json();
        expect(rest).toEqual({ tokenType: "Bearer", expiresIn: 3600, units: 100 });
        expect(await ask(node, TILE, accessToken)).toBe(200);
        for (const path of ["/v1/search", "/v1/process/jobs/x", "/v1/account", "/v1/keys"])
          expect([path, await ask(node, path, accessToken)]).toEqual([path, "403 insufficient-scope"]);
        expect(await node.accounts.lookup.tokens.identify(accessToken, SITE)).toEqual({
          credential: "guest",
          subject: expect.stringMatching(/^guest-[0-9a-f]{24}$/),
          scopes: ["tiles"],
          tier: "guest",
        });
        node.clock.now += HOUR;
        expect(await ask(node, TILE, accessToken)).toBe("401 invalid-key");
      }),
  );

  test("a token is good for the origin that it was made for, and without an origin", { tags: ["AC14"] }, () =>
    withNode(
      async (node) => {
        const token = await tokenOf(node, "https://maps.example");
        expect(await ask(node, TILE, token, "https://maps.example")).toBe(200);
        expect(await ask(node, TILE, token)).toBe(200);
        for (const origin of [FOREIGN, "https://other.example", "null", "http://maps.example"])
          expect(await ask(node, TILE, token, origin)).toBe("403 origin-not-allowed");
        const ofNone = await tokenOf(node);
        expect(await ask(node, TILE, ofNone)).toBe(200);
        expect(await ask(node, TILE, ofNone, "https://maps.example")).toBe("403 origin-not-allowed");
      },
      ["https://maps.example", "https://other.example"],
    ),
  );

  test.each([
    { sites: [], allowed: [SITE], refused: [FOREIGN, "null", "https://service.test", "http://service.test:81"] },
    { sites: ["https://maps.example"], allowed: ["https://maps.example"], refused: [SITE, FOREIGN, "null"] },
  ])("the website $sites gets tokens, and other origins none", { tags: ["AC14"] }, ({ sites, allowed, refused }) =>
    withNode(async (node) => {
      for (const origin of allowed) {
        const answer = await guest(node, origin);
        expect([origin, answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([
          origin,
          201,
          origin,
        ]);
        expect(answer.headers.get("Vary")).toContain("Origin");
      }
      for (const origin of refused) {
        const answer = await guest(node, origin);
        expect([origin, answer.status, (await answer.json()).code]).toEqual([origin, 403, "origin-not-allowed"]);
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
      }
    }, sites),
  );

  test("a network gets ten tokens an hour", { tags: ["AC14"] }, () =>
    withNode(async (node) => {
      for (let i = 0; i < 10; i++) expect((await guest(node)).status).toBe(201);
      const refused = await guest(node);
      expect([refused.status, (await refused.json()).code]).toEqual([429, "ip-rate-limited"]);
      node.clock.now += HOUR;
      expect((await guest(node)).status).toBe(201);
    }),
  );

  test.each([
    { body: "", status: 201 },
    { body: "{}", status: 201 },
    { body: '{"units":1000}', status: 400 },
    { body: "x".repeat(65_537), status: 413 },
  ])("a body of $body.length characters is $status", ({ body, status }) =>
    withNode(async (node) => {
      expect((await node.request("/v1/guest", { method: "POST", body })).status).toBe(status);
    }),
  );
});

describeEngines("credentials", (host) => {
  const withNode = nodesOn(host);
  const search = (node: AccountNode, headers: Record<string, string>) =>
    node.request("/v1/search?limit=1", { headers });

  test("X-API-Key decides where both headers are sent", { tags: ["AC15"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const bearer = { Authorization: `Bearer ${session}` };
      expect((await search(node, { ...bearer, "X-API-Key": "wrong" })).status).toBe(401);
      expect((await search(node, { Authorization: "Bearer wrong", "X-API-Key": KEY })).status).toBe(200);
      expect((await search(node, { ...bearer, "X-API-Key": "" })).status).toBe(401);
      expect((await search(node, { Authorization: "", "X-API-Key": KEY })).status).toBe(200);
    }),
  );

  test.each(["X-API-Key", "Authorization"])(
    "an empty %s is a wrong credential, never none",
    { tags: ["AC15"] },
    (name) =>
      withNode(async (node) => {
        const answer = await search(node, { [name]: "" });
        expect([answer.status, (await answer.json()).code]).toEqual([401, "invalid-key"]);
        expect((await node.request("/v1/collections", { headers: { [name]: "" } })).status).toBe(200);
      }),
  );

  test.each([
    "Bearer wrong",
    "Bearer",
    "Bearer ",
    `Basic ${Buffer.from("user:password").toString("base64")}`,
    "Bearer basic//",
    "Bearer basic//wrong",
    "Bearer a b",
    `Bearer ${"a".repeat(40)}`,
    `Bearer ${"ä".repeat(3)}`,
    "nonsense",
  ])("Authorization: %s is refused where callers without a credential are served", { tags: ["AC15"] }, (header) =>
    withNode(async (node) => {
      const answer = await search(node, { Authorization: header });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toBe(
        'Bearer realm="swath", error="invalid_token", error_description="The bearer token is unknown, expired or revoked.", ApiKey header="X-API-Key"',
      );
      // documents for everybody do not read it
      expect((await node.request("/v1/collections", { headers: { Authorization: header } })).status).toBe(200);
    }),
  );

  test("clients of openEO send a key or a token behind basic//", { tags: ["AC15"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const { secret } = await node.createKey(session);
      for (const each of [session, secret, KEY])
        expect((await search(node, { Authorization: `Bearer basic//${each}` })).status).toBe(200);
      // a key is no token
      expect((await search(node, { Authorization: `Bearer ${secret}` })).status).toBe(401);
    }),
  );

  test("keys of accounts, tokens and guests are not for the legacy hosts", { tags: ["AC16"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const { secret } = await node.createKey(session);
      const { accessToken } = await (await node.send("POST", "/v1/guest")).json();
      for (const path of ["/legacy/stac/collections", "/legacy/tiles/"]) {
        expect((await node.get(path)).status).toBe(200);
        for (const headers of [
          { "X-API-Key": secret },
          { Authorization: `Bearer ${session}` },
          { Authorization: `Bearer ${accessToken}` },
        ] as Record<string, string>[]) {
          const answer = await node.unchecked(`${SITE}${path}`, { headers });
          expect([answer.status, await answer.json()]).toEqual([403, { message: "Forbidden" }]);
        }
      }
    }),
  );

  test(
    "a network that sends too many wrong credentials of a kind is told to wait, and whatever is good goes on",
    { tags: ["AC18"] },
    () =>
      withNode(async (node) => {
        const session = await node.signIn("ann@example.org");
        const { secret } = await node.createKey(session);
        await node.send("POST", "/v1/account", { email: "bob@example.org" });
        const link = await node.mailedToken();
        const from = { "X-Forwarded-For": "192.0.2.66" };
        const wrong = (i: number) => `swath_${String(i).padStart(40, "0")}`;
        for (let i = 0; i < 300; i++) expect((await search(node, { ...from, "X-API-Key": wrong(i) })).status).toBe(401);
        const refused = await search(node, { ...from, "X-API-Key": wrong(300) });
        expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "300"]);
        expect(await refused.json()).toMatchObject({
          code: "ip-rate-limited",
          limits: { requests: 300, windowSeconds: 300 },
        });
        // neighbours behind the same address are not locked out, though this node has not seen their keys before
        expect((await search(node, { ...from, "X-API-Key": secret })).status).toBe(200);
        expect((await search(node, { ...from, "X-API-Key": KEY })).status).toBe(200);
        // other kinds count apart
        expect((await search(node, { ...from, Authorization: `Bearer ${"x".repeat(40)}` })).status).toBe(401);
        expect((await search(node, { ...from, Authorization: `Bearer ${session}` })).status).toBe(200);
        const redeem = (token: string) => node.send("POST", "/v1/account/session", { token }, undefined, from);
        expect((await redeem("x".repeat(40))).status).toBe(401);
        expect((await redeem(link)).status).toBe(201);
        expect((await search(node, { "X-Forwarded-For": "192.0.2.67", "X-API-Key": wrong(1) })).status).toBe(401);
        node.clock.now += 5 * MINUTE;
        expect((await search(node, { ...from, "X-API-Key": wrong(999) })).status).toBe(401);
      }),
  );

  test(
    "what has not the form of a secret is not asked for in the store, and over the limit not counted there",
    { tags: ["AC18"] },
    () =>
      withNode(async (node) => {
        const from = { "X-Forwarded-For": "192.0.2.66" };
        for (let i = 0; i < 301; i++) await search(node, { ...from, "X-API-Key": `wrong-${i}` });
        const { query } = node.store;
        const questions: string[] = [];
        node.store.query = (text, parameters) => {
          questions.push(text);
          return query(text, parameters);
        };
        for (let i = 400; i < 420; i++) {
          expect((await search(node, { ...from, "X-API-Key": `wrong-${i}` })).status).toBe(429);
        }
        expect(questions).toEqual([]);
        for (const token of ["link", "x".repeat(39), `${"x".repeat(39)}-`]) {
          expect((await node.send("POST", "/v1/account/session", { token })).status).toBe(401);
        }
        expect(questions.filter((text) => !text.includes("address_count"))).toEqual([]);
        // one of the right form costs one look into the store, and is then known to be wrong for a while
        questions.length = 0;
        for (let i = 0; i < 3; i++) {
          expect((await search(node, { ...from, "X-API-Key": `swath_${"0".repeat(40)}` })).status).toBeGreaterThan(400);
        }
        expect(questions.filter((text) => text.includes("account_key"))).toHaveLength(1);
      }),
  );

  test("a client that repeats one wrong key is never refused for it", { tags: ["AC18"] }, () =>
    withNode(async (node) => {
      // more often than the limit would allow, if each were counted
      for (let i = 0; i < 330; i++) {
        node.clock.now += 500;
        expect((await search(node, { "X-API-Key": "swath_0123" })).status).toBe(401);
      }
    }),
  );
});
