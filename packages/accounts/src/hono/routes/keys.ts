import { z } from "@hono/zod-openapi";
import { JSON_TYPE, RequestProblem } from "@swath/web";
import { siteOnly } from "@swath/web/origins";
import { type AccountKey, type AccountKeys, KEY_SCOPES, KeyLimitError } from "../../keys/account-keys.ts";
import { SIGN_UPS, takeFrom } from "../../metering/counters/account-limits.ts";
import { TIERS } from "../../metering/units/tiers.ts";
import { AccountError } from "../../people/account.ts";
import { ACCOUNT, permits, SESSION } from "../access/route-access.ts";
import { addMeteredRoute, type MeteredRouter } from "../metering/route.ts";
import { AccountProblem } from "../problems.ts";
import { callersAccount } from "./account.ts";
import { KeyDocument, keyDocument, MAX_ACCOUNT_BYTES, Name, NewKeyDocument, NO_STORE } from "./models.ts";
import type { AccountRoutes } from "./options.ts";

const PATH = "/v1/keys";
const DAY_MS = 86_400_000;
const NO_CACHE = { "Cache-Control": NO_STORE };
const NewKeyBody = z
  .strictObject({
    name: Name,
    scopes: z
      .array(z.enum(KEY_SCOPES))
      .min(1)
      .max(KEY_SCOPES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, { error: "Expected each scope once, got one twice." })
      .default(["data"]),
    expiresInDays: z.int().min(1).max(365).optional().openapi({ description: "Absent: the key does not expire." }),
  })
  .meta({ id: "NewKeyBody" });
const keyList = (link: z.ZodType) =>
  z.object({ keys: z.array(KeyDocument), links: z.array(link) }).meta({ id: "KeyList" });
const params = z.object({ keyId: z.string().openapi({ description: "Id of the key." }) });

/** Ids as the store makes them: no other text gets there. */
const KEY_ID = /^[0-9a-f]{24}$/;

function unknownKey(id: string): RequestProblem {
  return new RequestProblem("not-found", `The account has no key "${id}".`, { headers: NO_CACHE });
}

/** @throws {AccountProblem} `key-limit`; `invalid-key` where the account was deleted meanwhile. */
async function make(
  router: MeteredRouter,
  keys: AccountKeys,
  account: string,
  key: Parameters<AccountKeys["create"]>[1],
): Promise<{ readonly key: AccountKey; readonly secret: string }> {
  try {
    return await keys.create(account, key);
  } catch (error) {
    if (error instanceof KeyLimitError) {
      const limits = { maxKeys: error.max, activeKeys: error.active };
      throw new AccountProblem("key-limit", error.message, { limits, cause: error });
    }
    throw error instanceof AccountError ? router.access.missing(error.message) : error;
  }
}

/** Registers `/v1/keys`: keys of the caller's account. */
export function registerKeys(router: MeteredRouter, options: AccountRoutes): void {
  const { people: accounts, site, link, now, onEvent } = options;
  router.app.use(PATH, siteOnly(site));
  router.app.use(`${PATH}/*`, siteOnly(site));
  addMeteredRoute(
    router,
    {
      method: "post",
      path: PATH,
      operationId: "createKey",
      tag: "Account",
      summary: "A new key, shown once",
      description: "A key of the scope `account` is made with a session alone.",
      access: ACCOUNT,
      body: { json: NewKeyBody, maxBytes: MAX_ACCOUNT_BYTES },
      problems: [409],
      responses: {
        201: {
          description: "The key with its secret.",
          headers: { Location: { description: "Address of the key.", schema: { type: "string", format: "uri" } } },
          content: { [JSON_TYPE]: { schema: NewKeyDocument } },
        },
      },
    },
    async (c, { body: { name, scopes, expiresInDays } }) => {
      // a key that is stolen must not make others like it
      if (scopes.includes("account") && !permits(SESSION, c.get("identity"))) {
        throw router.access.lacking("session", 'A key of the scope "account" is made with a session alone.');
      }
      await takeFrom(accounts.limits, SIGN_UPS, c.get("clientNetwork")());
      const { id, tier } = await callersAccount(c, accounts);
      const expires = expiresInDays === undefined ? undefined : now().getTime() + expiresInDays * DAY_MS;
      const made = await make(router, accounts.keys, id, { name, scopes, expires, max: TIERS[tier].keys });
      onEvent?.("key");
      const Location = `${c.get("baseUrl")}/v1/keys/${made.key.id}`;
      const headers = { ...NO_CACHE, Location };
      return Response.json({ ...keyDocument(made.key), secret: made.secret }, { status: 201, headers });
    },
  );
  addMeteredRoute(
    router,
    {
      method: "get",
      path: PATH,
      operationId: "listKeys",
      tag: "Account",
      summary: "Keys of the account",
      description: "Active keys, then the newest of those that have ended, at most a hundred.",
      access: ACCOUNT,
      responses: { 200: { description: "The keys.", content: { [JSON_TYPE]: { schema: keyList(link) } } } },
    },
    async (c) => {
      const { id } = await callersAccount(c, accounts);
      const keys = (await accounts.keys.list(id)).map(keyDocument);
      const links = [{ rel: "self", href: `${c.get("baseUrl")}/v1/keys`, type: JSON_TYPE, title: "These keys" }];
      return Response.json({ keys, links }, { headers: NO_CACHE });
    },
  );
  addMeteredRoute(
    router,
    {
      method: "get",
      path: `${PATH}/{keyId}`,
      operationId: "getKey",
      tag: "Account",
      summary: "One key",
      access: ACCOUNT,
      params,
      responses: { 200: { description: "The key.", content: { [JSON_TYPE]: { schema: KeyDocument } } } },
    },
    async (c, { params: { keyId } }) => {
      const { id } = await callersAccount(c, accounts);
      const key = KEY_ID.test(keyId) ? await accounts.keys.find(id, keyId) : undefined;
      if (key === undefined) throw unknownKey(keyId);
      return Response.json(keyDocument(key), { headers: NO_CACHE });
    },
  );
  addMeteredRoute(
    router,
    {
      method: "delete",
      path: `${PATH}/{keyId}`,
      operationId: "revokeKey",
      tag: "Account",
      summary: "The end of a key",
      description: "The key and its tokens stop within a minute on every node.",
      access: ACCOUNT,
      params,
      responses: { 204: { description: "The key is revoked." } },
    },
    async (c, { params: { keyId } }) => {
      const { id } = await callersAccount(c, accounts);
      const stopped = KEY_ID.test(keyId) ? await accounts.keys.revoke(id, keyId) : undefined;
      if (stopped === undefined) throw unknownKey(keyId);
      accounts.lookup.forget(stopped);
      return new Response(null, { status: 204, headers: NO_CACHE });
    },
  );
}
