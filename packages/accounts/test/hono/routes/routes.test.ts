import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { openStore } from "@swath/store/node";
import { PathTable, problemAnswers, requestScope } from "@swath/web";
import { afterAll, expect, test, vi } from "vitest";
import { createAccess } from "../../../src/hono/access/access.ts";
import { authenticatorsOf } from "../../../src/hono/access/authenticators.ts";
import { PUBLIC } from "../../../src/hono/access/route-access.ts";
import type { AccountEnv } from "../../../src/hono/metering/context.ts";
import { accountProblem } from "../../../src/hono/metering/limit-problem.ts";
import type { MeteredRouter } from "../../../src/hono/metering/route.ts";
import { registerTokenForm } from "../../../src/hono/routes/oauth/token.ts";
import type { AccountEvent } from "../../../src/hono/routes/options.ts";
import { registerAccounts } from "../../../src/hono/routes/register.ts";
import { ACCOUNTS_TABLES, admissionOf, DEFAULT_LIMITS, openAccounts } from "../../../src/index.ts";

const BASE = "https://towns.example";
const folder = mkdtempSync(join(tmpdir(), "accounts-hono-"));
const store = await openStore({ dataDir: folder }, { tables: [ACCOUNTS_TABLES] });
const { parts, close } = openAccounts(
  {
    apiKeys: [],
    limits: DEFAULT_LIMITS,
    guestUnitsDay: 100,
    takesAnonymous: false,
    keyPrefix: "towns",
    mail: { from: "towns@localhost.localdomain", folder: join(folder, "outbox") },
  },
  { store, addressKey: Buffer.alloc(32, 7), log: console },
);
afterAll(async () => {
  await close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** A service of nothing but accounts. */
function serve(): { readonly app: OpenAPIHono<AccountEnv>; readonly events: AccountEvent[] } {
  const { accounts: people } = parts;
  if (people === undefined) throw new Error("There are accounts where mails can be sent.");
  const events: AccountEvent[] = [];
  const app = new OpenAPIHono<AccountEnv>({ strict: false });
  const router: MeteredRouter = {
    app,
    paths: new PathTable(PUBLIC),
    access: createAccess({ authenticators: authenticatorsOf(parts, "towns"), missingDetail: "Send a key." }),
    admission: admissionOf(parts),
  };
  app.use(requestScope({ publicUrl: BASE }));
  app.onError(problemAnswers<AccountEnv>((error) => accountProblem(error) ?? error).response);
  registerTokenForm(router);
  registerAccounts(router, {
    people,
    site: { publicUrl: BASE },
    realm: "towns",
    now: () => new Date(),
    link: z.object({ rel: z.string(), href: z.string() }),
    oauth: {
      resources: [{ path: "/towns", operationId: "getProtectedTowns" }],
      documentation: "/help",
      cacheControl: "public, max-age=60",
      version: "1",
    },
    onEvent: (event) => events.push(event),
  });
  return { app, events };
}
const { app, events } = serve();

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(
    app.request(`${BASE}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

/** The token of the link in the mail, once it is in the outbox. */
function mailedToken(): Promise<string> {
  const find = (): string => {
    const outbox = join(folder, "outbox");
    const mails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), "utf8"));
    const token = /#token=(?:3D)?([A-Za-z0-9_-]+)/.exec(mails.join("").replaceAll("=\n", ""))?.[1];
    if (token === undefined) throw new Error("No mail has come.");
    return token;
  };
  // for what hangs: mails are sent in the background
  return vi.waitFor(find, { timeout: 100_000 });
}

test("a person signs up by a mailed link, makes a key, gets a token for it, and revokes it", async () => {
  expect((await send("POST", "/v1/account", { email: "ann@example.org" })).status).toBe(202);
  const begun = await send("POST", "/v1/account/session", { token: await mailedToken() });
  expect(begun.status).toBe(201);
  const { accessToken, account } = await begun.json();
  expect(account).toMatchObject({ email: "ann@example.org", emailVerified: true, tier: "free" });
  const session = { Authorization: `Bearer ${accessToken}` };
  const made = await (await send("POST", "/v1/keys", { name: "first" }, session)).json();
  expect(made).toMatchObject({ scopes: ["data"], status: "active", prefix: made.secret.slice(0, 8) });

  const form = { grant_type: "client_credentials", client_id: made.clientId, client_secret: made.secret };
  const ask = (): Promise<Response> =>
    Promise.resolve(
      app.request(`${BASE}/oauth/token`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
        body: new URLSearchParams(form).toString(),
      }),
    );
  expect(await (await ask()).json()).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "data" });
  expect((await send("DELETE", `/v1/keys/${made.id}`, undefined, session)).status).toBe(204);
  const refused = await ask();
  expect([refused.status, refused.headers.get("Content-Type")]).toEqual([401, "application/json"]);
  expect(refused.headers.get("WWW-Authenticate")).toBe('Basic realm="towns"');
  expect(await refused.json()).toMatchObject({ error: "invalid_client", code: "invalid-client" });
  expect(events).toEqual(["link", "sign-up", "sign-in", "key", "token"]);
});

test("OAuth's documents name the service's own resources and its page of help", async () => {
  const server = await send("GET", "/.well-known/oauth-authorization-server");
  expect(await server.json()).toMatchObject({ issuer: BASE, service_documentation: `${BASE}/help` });
  expect(server.headers.get("Cache-Control")).toBe("public, max-age=60");
  const resource = await send("GET", "/.well-known/oauth-protected-resource/towns");
  expect(await resource.json()).toMatchObject({ resource: `${BASE}/towns`, authorization_servers: [BASE] });
});

test("pages of other sites use no route of accounts", async () => {
  const answer = await send("GET", "/v1/account", undefined, { Origin: "https://else.example" });
  expect([answer.status, (await answer.json()).code]).toEqual([403, "origin-not-allowed"]);
  expect((await send("GET", "/v1/account", undefined, { Origin: BASE })).status).toBe(401);
});
