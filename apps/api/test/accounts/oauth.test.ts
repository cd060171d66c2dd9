import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { type AccountNode, accountNode, HOUR, MINUTE } from "./account-service.ts";

interface Key {
  readonly id: string;
  readonly secret: string;
}

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;
const GRANT = { grant_type: "client_credentials" };
const FORM = "application/x-www-form-urlencoded";

describeEngines("OAuth", (host) => {
  let node: AccountNode;
  let key: Key;
  let session: string;
  beforeAll(async () => {
    node = await accountNode(await host().fresh());
    session = await node.signIn("ann@example.org");
    await node.accounts.accounts.setTier("ann@example.org", "pro");
    key = await node.createKey(session, { name: "both", scopes: ["data", "account"] });
  });
  afterAll(() => node.close());
  // each test has its own minute of tokens
  beforeEach(() => {
    node.clock.now += MINUTE;
  });

  const ask = (form: Record<string, string> | string, headers: Record<string, string> = {}) =>
    node.request("/oauth/token", {
      method: "POST",
      headers: { "Content-Type": FORM, ...headers },
      body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
    });
  const inBody = ({ id, secret }: Key) => ({ client_id: id, client_secret: secret });
  const search = async (token: string) =>
    (await node.request("/v1/search?limit=1", { headers: { Authorization: `Bearer ${token}` } })).status;

  test("a token by either client authentication works for an hour, as the key", { tags: ["AC11"] }, async () => {
    for (const authenticate of [
      () => ask(GRANT, { Authorization: basic(key.id, key.secret) }),
      () => ask({ ...GRANT, ...inBody(key) }),
      () => ask({ ...GRANT, client_id: key.id }, { Authorization: basic(key.id, key.secret) }),
    ]) {
      const answer = await authenticate();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Type")).toBe("application/json");
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("Pragma")).toBe("no-cache");
      const { access_token, ...rest } = await answer.json();
      expect(rest).toEqual({ token_type: "Bearer", expires_in: 3600, scope: "data" });
      expect(await search(access_token)).toBe(200);
      const identity = await node.accounts.lookup.tokens.identify(access_token, undefined);
      expect(identity).toMatchObject({ credential: "bearer", subject: key.id, usedKey: key.id, tier: "pro" });
      node.clock.now += HOUR;
      expect(await search(access_token)).toBe(401);
    }
  });

  test.each([
    { asked: undefined, granted: "data" },
    { asked: "", granted: "data" },
    { asked: "data", granted: "data" },
    { asked: "account", granted: "account" },
    { asked: "account data", granted: "data account" },
  ])("the scopes $asked of a key with both are $granted", async ({ asked, granted }) => {
    const answer = await ask({ ...GRANT, ...inBody(key), ...(asked === undefined ? {} : { scope: asked }) });
    const { access_token, scope } = await answer.json();
    expect(scope).toBe(granted);
    expect(await search(access_token)).toBe(granted.includes("data") ? 200 : 403);
    const account = await node.send("GET", "/v1/account", undefined, access_token);
    expect(account.status).toBe(granted.includes("account") ? 200 : 403);
  });

  test("a token has no scope that its key lacks", { tags: ["AC11"] }, async () => {
    const data = await node.createKey(session);
    const answer = await ask({ ...GRANT, ...inBody(data), scope: "data account" });
    expect((await answer.json()).scope).toBe("data");
    const none = await ask({ ...GRANT, ...inBody(data), scope: "account" });
    expect([none.status, (await none.json()).error]).toEqual([400, "invalid_scope"]);
  });

  const ERRORS: readonly {
    readonly name: string;
    readonly form: (key: Key) => Record<string, string> | string;
    readonly headers?: (key: Key) => Record<string, string>;
    readonly status: number;
    readonly code: string;
    readonly error: string;
  }[] = [
    { name: "an empty body", form: () => "", status: 400, code: "invalid-token-request", error: "invalid_request" },
    {
      name: "no grant type",
      form: inBody,
      status: 400,
      code: "invalid-token-request",
      error: "invalid_request",
    },
    {
      name: "a member twice",
      form: (of) => `grant_type=client_credentials&grant_type=x&${new URLSearchParams(inBody(of))}`,
      status: 400,
      code: "invalid-token-request",
      error: "invalid_request",
    },
    {
      name: "a JSON body",
      form: (of) => JSON.stringify({ ...GRANT, ...inBody(of) }),
      headers: () => ({ "Content-Type": "application/json" }),
      status: 400,
      code: "invalid-token-request",
      error: "invalid_request",
    },
    {
      name: "a grant type that nobody knows",
      form: (of) => ({ ...inBody(of), grant_type: 'p\\"\u00e4\u2028' }),
      status: 400,
      code: "invalid-token-request",
      error: "unsupported_grant_type",
    },
    {
      name: "both authentications",
      form: (of) => ({ ...GRANT, ...inBody(of) }),
      headers: (of) => ({ Authorization: basic(of.id, of.secret) }),
      status: 400,
      code: "invalid-token-request",
      error: "invalid_request",
    },
    {
      name: "another client in the body",
      form: () => ({ ...GRANT, client_id: "other" }),
      headers: (of) => ({ Authorization: basic(of.id, of.secret) }),
      status: 400,
      code: "invalid-token-request",
      error: "invalid_request",
    },
    { name: "no client", form: () => GRANT, status: 401, code: "invalid-client", error: "invalid_client" },
    {
      name: "a wrong secret",
      form: ({ id }) => ({ ...GRANT, client_id: id, client_secret: "wrong" }),
      status: 401,
      code: "invalid-client",
      error: "invalid_client",
    },
    {
      name: "the secret of another client",
      form: ({ secret }) => ({ ...GRANT, client_id: "0".repeat(24), client_secret: secret }),
      status: 401,
      code: "invalid-client",
      error: "invalid_client",
    },
    {
      name: "an owner's key",
      form: ({ id }) => ({ ...GRANT, client_id: id, client_secret: "test-key" }),
      status: 401,
      code: "invalid-client",
      error: "invalid_client",
    },
    {
      name: "another scheme",
      form: () => GRANT,
      headers: ({ secret }) => ({ Authorization: `Bearer ${secret}` }),
      status: 401,
      code: "invalid-client",
      error: "invalid_client",
    },
    {
      name: "a Basic header that is none",
      form: () => GRANT,
      headers: () => ({ Authorization: "Basic %%%" }),
      status: 401,
      code: "invalid-client",
      error: "invalid_client",
    },
    {
      name: "a Basic header with a stray percent",
      form: () => GRANT,
      headers: () => ({ Authorization: `Basic ${Buffer.from("a%:b").toString("base64")}` }),
      status: 401,
      code: "invalid-client",
      error: "invalid_client",
    },
    ...["authorization_code", "refresh_token", "password", "urn:ietf:params:oauth:grant-type:device_code"].map(
      (grant_type) => ({
        name: `the grant ${grant_type}`,
        form: (of: Key) => ({ grant_type, ...inBody(of) }),
        status: 400,
        code: "invalid-token-request",
        error: "unsupported_grant_type",
      }),
    ),
    {
      name: "an unknown scope",
      form: (of) => ({ ...GRANT, ...inBody(of), scope: "data everything" }),
      status: 400,
      code: "invalid-token-request",
      error: "invalid_scope",
    },
  ];

  describe.each(ERRORS)("$name", ({ form, headers, status, code, error }) => {
    test.each([
      { accept: "application/json", type: "application/json" },
      { accept: "application/json, application/problem+json", type: "application/problem+json" },
      { accept: "*/*", type: "application/problem+json" },
    ])("is $error as $type for $accept", { tags: ["AC12"] }, async ({ accept, type }) => {
      const path = "http://service.test/oauth/token";
      const body = form(key);
      const sent = { "Content-Type": FORM, Accept: accept, ...headers?.(key) };
      // asked without the check of the OpenAPI document, which knows problem documents under one type
      const answer = await node.unchecked(path, {
        method: "POST",
        headers: sent,
        body: typeof body === "string" ? body : new URLSearchParams(body).toString(),
      });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("Content-Type")).toBe(type);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("WWW-Authenticate")).toBe(status === 401 ? 'Basic realm="swath"' : null);
      const problem = await answer.json();
      // RFC 6749 section 5.2: no quotation marks, no backslashes, ASCII alone
      const error_description = expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(problem).toMatchObject({ code, error, status, error_description });
      expect(JSON.stringify(problem)).not.toContain(key.secret);
    });
  });

  test("an account that may use no credential is unauthorized_client", { tags: ["AC12"] }, async () => {
    const { id } = await node.accounts.accounts.create("bob@example.org", "free");
    const made = { name: "k", scopes: ["data"], expires: undefined, max: 2 } as const;
    const { key: theirs, secret } = await node.accounts.keys.create(id, made);
    const answer = await ask({ ...GRANT, client_id: theirs.id, client_secret: secret });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid-token-request", error: "unauthorized_client" }),
    ]);
  });

  test("a client gets ten tokens a minute; wrong secrets do not use them up", { tags: ["AC11"] }, async () => {
    const mine = await node.createKey(session);
    const one = (secret: string) => ask({ ...GRANT, client_id: mine.id, client_secret: secret });
    for (let i = 0; i < 12; i++) expect((await one(`wrong${i}`)).status).toBe(401);
    for (let i = 0; i < 10; i++) expect((await one(mine.secret)).status).toBe(200);
    const refused = await one(mine.secret);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await refused.json()).toMatchObject({ code: "rate-limited", limits: { tokensPerMinute: 10 } });
    node.clock.now += MINUTE;
    expect((await one(mine.secret)).status).toBe(200);
  });

  test("tokens of a revoked key stop within a minute", { tags: ["AC11"] }, async () => {
    const mine = await node.createKey(session);
    const { access_token } = await (await ask({ ...GRANT, ...inBody(mine) })).json();
    expect(await search(access_token)).toBe(200);
    await node.accounts.keys.revoke((await node.accounts.lookup.keys.identify(mine.secret))?.account ?? "", mine.id);
    node.clock.now += MINUTE;
    expect(await search(access_token)).toBe(401);
    expect((await ask({ ...GRANT, ...inBody(mine) })).status).toBe(401);
  });

  test("a body over 64 KiB is 413, before anything is looked up", async () => {
    const answer = await ask(`grant_type=client_credentials&x=${"a".repeat(65_536)}`);
    expect([answer.status, (await answer.json()).code]).toEqual([413, "body-too-large"]);
  });

  describe("oauth4webapi", () => {
    const issuer = new URL("http://service.test");
    const options = () => ({
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (url: string, init: object) => node.unchecked(url, init),
    });
    const discover = async () => {
      const answer = await oauth.discoveryRequest(issuer, { ...options(), algorithm: "oauth2" });
      return oauth.processDiscoveryResponse(issuer, answer);
    };

    test.each([
      { name: "client_secret_basic", authenticate: oauth.ClientSecretBasic },
      { name: "client_secret_post", authenticate: oauth.ClientSecretPost },
    ])("discovers the service and gets a token by $name", { tags: ["AC13"] }, async ({ authenticate }) => {
      const server = await discover();
      const client = { client_id: key.id };
      const parameters = new URLSearchParams({ scope: "data" });
      const answer = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authenticate(key.secret),
        parameters,
        options(),
      );
      const token = await oauth.processClientCredentialsResponse(server, client, answer);
      expect(token).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "data" });
      expect(await search(token.access_token)).toBe(200);
    });

    test("reads the errors as the standard's", async () => {
      const server = await discover();
      const client = { client_id: key.id };
      const grant = (secret: string, scope: string) =>
        oauth.clientCredentialsGrantRequest(
          server,
          client,
          oauth.ClientSecretPost(secret),
          new URLSearchParams({ scope }),
          options(),
        );
      const scope = oauth.processClientCredentialsResponse(server, client, await grant(key.secret, "all"));
      await expect(scope).rejects.toMatchObject({ error: "invalid_scope", status: 400 });
      const wrong = oauth.processClientCredentialsResponse(server, client, await grant("wrong", "data"));
      await expect(wrong).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    });

    test("the metadata of the resource leads to the server", { tags: ["AC13"] }, async () => {
      for (const path of ["", "/mcp"]) {
        const answer = await oauth.resourceDiscoveryRequest(new URL(`http://service.test${path}`), options());
        const resource = await oauth.processResourceDiscoveryResponse(new URL(`http://service.test${path}`), answer);
        expect(resource).toMatchObject({ authorization_servers: ["http://service.test"] });
      }
    });
  });
});
