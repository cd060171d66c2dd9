import { ProblemError } from "@swath/problem";
import { describe, expect, test } from "vitest";
import { createAccess } from "../../../src/hono/access/access.ts";
import type { Authenticator } from "../../../src/hono/access/authenticator.ts";
import { keyAuthenticator } from "../../../src/hono/access/key-authenticator.ts";
import { ACCOUNT, DATA, PUBLIC, type RouteAccess, SESSION } from "../../../src/hono/access/route-access.ts";
import { AccountProblem } from "../../../src/hono/problems.ts";
import { type Identity, ownerIdentity } from "../../../src/identity.ts";
import type { KeyLookup } from "../../../src/keys/key-lookup.ts";

const SEARCH: RouteAccess = { credentials: ["anonymous", "key", "bearer"], scopes: ["data", "search"] };
const IMAGES: RouteAccess = {
  credentials: ["anonymous", "key", "bearer", "guest"],
  scopes: ["data", "tiles", "cached-images"],
};
const ROUTES: Readonly<Record<string, RouteAccess>> = { PUBLIC, SEARCH, IMAGES, DATA, ACCOUNT };

const KEYS: Readonly<Record<string, Identity>> = {
  owner: ownerIdentity("owner"),
  "data key": { credential: "key", subject: "k1", account: "ann", scopes: ["data"], tier: "free" },
  "account key": { credential: "key", subject: "k2", account: "ann", scopes: ["account"], tier: "free" },
};
const TOKENS: Readonly<Record<string, Identity>> = {
  session: { credential: "bearer", subject: "s1", account: "ann", scopes: ["data", "account"], tier: "free" },
  "data token": { credential: "bearer", subject: "t1", account: "ann", scopes: ["data"], tier: "pro" },
  guest: { credential: "guest", subject: "g1", scopes: ["tiles"], tier: "guest" },
};
const ANONYMOUS: Identity = {
  credential: "anonymous",
  subject: "192.0.2.1",
  scopes: ["search", "tiles"],
  tier: "anonymous",
};

const keys: KeyLookup = { identify: async (key) => KEYS[key] };

const BEARER = { type: "http", scheme: "bearer", description: "A token." } as const;
const OAUTH = {
  type: "oauth2",
  description: "Tokens.",
  flows: { clientCredentials: { tokenUrl: "/oauth/token", scopes: { data: "Data.", account: "The account." } } },
} as const;
/** Bearer tokens and guest tokens share a header, and so an authenticator. */
const bearer: Authenticator = {
  kinds: ["bearer", "guest"],
  scheme: { name: "bearer", definition: BEARER },
  grants: [{ name: "oauth2", definition: OAUTH }],
  read: (credentials) => /^Bearer (.+)$/.exec(credentials.header("Authorization") ?? "")?.[1],
  async identify(token) {
    if (token === "suspended") throw new AccountProblem("key-suspended", "The account is suspended.");
    return TOKENS[token];
  },
  invalidDetail: "The bearer token is unknown or has expired.",
  challenge(refusal) {
    if (refusal.reason === "missing") return 'Bearer realm="swath"';
    if (refusal.reason === "scope") return `Bearer realm="swath", error="insufficient_scope", scope="${refusal.scope}"`;
    return refusal.by === bearer
      ? 'Bearer realm="swath", error="invalid_token", error_description="Unknown or expired."'
      : 'Bearer realm="swath"';
  },
};

const full = createAccess({
  authenticators: [keyAuthenticator(keys), bearer],
  anonymous: () => ANONYMOUS,
  missingDetail: "This route needs a key or a token.",
});
const lean = createAccess({
  authenticators: [keyAuthenticator(keys)],
  missingDetail: "This route needs an API key in the X-API-Key header.",
});

type Headers = Readonly<Record<string, string>>;

async function ask(access: typeof full, route: RouteAccess, headers: Headers): Promise<Identity | undefined> {
  return access.identify(route, { network: () => "192.0.2.1", header: (name) => headers[name] });
}

/** 200 and the caller, or the status, code and challenge of the error. */
async function answer(access: typeof full, route: RouteAccess, headers: Headers) {
  try {
    return { status: 200, subject: (await ask(access, route, headers))?.subject };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { status: error.status, code: error.code, detail: error.message, headers: error.headers };
  }
}

const key = (secret: string): Headers => ({ "X-API-Key": secret });
const token = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` });

describe("credential x route", () => {
  const names = Object.keys(ROUTES);
  test.each([
    //                                       PUBLIC SEARCH IMAGES DATA ACCOUNT
    { who: "nobody", headers: {}, full: [200, 200, 200, 401, 401], lean: [200, 401, 401, 401, 401] },
    { who: "an owner's key", headers: key("owner"), full: [200, 200, 200, 200, 403], lean: [200, 200, 200, 200, 403] },
    { who: "a data key", headers: key("data key"), full: [200, 200, 200, 200, 403], lean: [200, 200, 200, 200, 403] },
    {
      who: "an account key",
      headers: key("account key"),
      full: [200, 403, 403, 403, 200],
      lean: [200, 403, 403, 403, 200],
    },
    { who: "a session", headers: token("session"), full: [200, 200, 200, 200, 200], lean: [200, 401, 401, 401, 401] },
    {
      who: "a data token",
      headers: token("data token"),
      full: [200, 200, 200, 200, 403],
      lean: [200, 401, 401, 401, 401],
    },
    { who: "a guest", headers: token("guest"), full: [200, 403, 200, 403, 403], lean: [200, 401, 401, 401, 401] },
    { who: "a wrong key", headers: key("wrong"), full: [200, 401, 401, 401, 401], lean: [200, 401, 401, 401, 401] },
    { who: "a wrong token", headers: token("wrong"), full: [200, 401, 401, 401, 401], lean: [200, 401, 401, 401, 401] },
    {
      who: "a suspended account",
      headers: token("suspended"),
      full: [200, 403, 403, 403, 403],
      lean: [200, 401, 401, 401, 401],
    },
    { who: "an empty key", headers: key(""), full: [200, 401, 401, 401, 401], lean: [200, 401, 401, 401, 401] },
  ])("$who", async ({ headers, ...expected }) => {
    const statuses = async (access: typeof full) =>
      Promise.all(names.map(async (name) => (await answer(access, ROUTES[name] as RouteAccess, headers)).status));
    expect(await statuses(full)).toEqual(expected.full);
    expect(await statuses(lean)).toEqual(expected.lean);
  });
});

test("a good credential is the caller, and a public route has none", async () => {
  expect(await ask(full, DATA, token("session"))).toBe(TOKENS.session);
  expect(await ask(full, SEARCH, {})).toBe(ANONYMOUS);
  expect(await ask(full, PUBLIC, token("session"))).toBeUndefined();
});

test("X-API-Key decides where both headers are sent, also when it is wrong", async () => {
  expect(await ask(full, DATA, { ...key("data key"), ...token("session") })).toBe(KEYS["data key"]);
  expect(await answer(full, DATA, { ...key("wrong"), ...token("session") })).toMatchObject({
    status: 401,
    detail: "The API key in the X-API-Key header is unknown or disabled.",
  });
  expect(await answer(full, ACCOUNT, { ...key("data key"), ...token("session") })).toMatchObject({ status: 403 });
});

test.each([
  { access: lean, route: DATA, headers: {}, challenge: 'ApiKey header="X-API-Key"' },
  { access: lean, route: DATA, headers: key("wrong"), challenge: 'ApiKey header="X-API-Key"' },
  { access: full, route: DATA, headers: {}, challenge: 'Bearer realm="swath", ApiKey header="X-API-Key"' },
  { access: full, route: DATA, headers: key("wrong"), challenge: 'Bearer realm="swath", ApiKey header="X-API-Key"' },
  {
    access: full,
    route: SEARCH,
    headers: token("wrong"),
    challenge:
      'Bearer realm="swath", error="invalid_token", error_description="Unknown or expired.", ApiKey header="X-API-Key"',
  },
  {
    access: full,
    route: ACCOUNT,
    headers: key("owner"),
    challenge: 'Bearer realm="swath", error="insufficient_scope", scope="account", ApiKey header="X-API-Key"',
  },
])("the challenge names each scheme: $challenge", async ({ access, route, headers, challenge }) => {
  expect(await answer(access, route, headers as Headers)).toMatchObject({
    headers: { "WWW-Authenticate": challenge },
  });
});

test("refusals name what is wrong", async () => {
  expect(await answer(full, DATA, {})).toMatchObject({ code: "invalid-key", detail: expect.stringContaining("token") });
  expect(await answer(full, SEARCH, token("guest"))).toMatchObject({
    code: "insufficient-scope",
    detail: 'This route needs a credential with the scope "data".',
  });
  expect(await answer(full, SEARCH, token("suspended"))).toMatchObject({ code: "key-suspended" });
});

test("a lookup that fails is an error on the routes that need it, never an anonymous caller", async () => {
  const broken = createAccess({
    authenticators: [keyAuthenticator({ identify: () => Promise.reject(new Error("away")) })],
    anonymous: () => ANONYMOUS,
    missingDetail: "",
  });
  await expect(ask(broken, SEARCH, key("any"))).rejects.toThrow("away");
  expect(await ask(broken, PUBLIC, key("any"))).toBeUndefined();
});

test("the OpenAPI document follows from the same table", () => {
  const of = (access: typeof full) =>
    Object.fromEntries(Object.entries(ROUTES).map(([name, route]) => [name, access.security(route)]));
  expect(of(lean)).toEqual({
    PUBLIC: [],
    SEARCH: [{ apiKey: [] }],
    IMAGES: [{ apiKey: [] }],
    DATA: [{ apiKey: [] }],
    ACCOUNT: [{ apiKey: [] }],
  });
  expect(of(full)).toEqual({
    PUBLIC: [],
    SEARCH: [{}, { apiKey: [] }, { bearer: [] }, { oauth2: ["data"] }],
    IMAGES: [{}, { apiKey: [] }, { bearer: [] }, { oauth2: ["data"] }],
    DATA: [{ apiKey: [] }, { bearer: [] }, { oauth2: ["data"] }],
    ACCOUNT: [{ apiKey: [] }, { bearer: [] }, { oauth2: ["account"] }],
  });
  // no token of OAuth ends a session
  expect([lean, full].map((access) => access.security(SESSION))).toEqual([[], [{ bearer: [] }]]);
  expect(Object.keys(lean.schemes)).toEqual(["apiKey"]);
  expect(full.schemes).toEqual({ ...lean.schemes, bearer: BEARER, oauth2: OAUTH });
  expect([PUBLIC, DATA, ACCOUNT].map((route) => lean.refusals(route))).toEqual([[], [401, 429], [401, 403, 429]]);
  expect([PUBLIC, DATA, ACCOUNT].map((route) => full.refusals(route))).toEqual([[], [401, 403, 429], [401, 403, 429]]);
});
