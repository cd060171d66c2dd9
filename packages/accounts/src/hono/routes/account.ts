import { z } from "@hono/zod-openapi";
import { JSON_TYPE, RequestProblem } from "@swath/web";
import { isLoopbackHost, type SiteOrigins, siteOnly } from "@swath/web/origins";
import { SIGN_UPS, takeFrom } from "../../metering/counters/account-limits.ts";
import type { People } from "../../open-people.ts";
import type { Account } from "../../people/account.ts";
import { parseEmailAddress } from "../../people/email-address.ts";
import { ACCOUNT, PUBLIC, SESSION } from "../access/route-access.ts";
import type { AccountContext } from "../metering/context.ts";
import { addMeteredRoute, type MeteredRouter } from "../metering/route.ts";
import { AccountProblem } from "../problems.ts";
import { type AccountModel, accountDocument, Email, MAX_ACCOUNT_BYTES, Name, NO_STORE } from "./models.ts";
import type { AccountRoutes } from "./options.ts";

const PATH = "/v1/account";
const NO_CACHE = { "Cache-Control": NO_STORE };
const SignUp = z.strictObject({ email: Email, name: Name.optional() }).meta({ id: "SignUp" });
const Rename = z.strictObject({ name: Name }).meta({ id: "AccountChange" });
const LinkMailed = z.object({ status: z.literal("verification-sent") }).meta({ id: "LinkMailed" });
/** Tells the page of the service where to look for the mail. */
const DELIVERY_HEADER = "X-Mail-Delivery";

/**
 * Returns the address that mailed links begin with. Without a public address the `Host` of the request is taken where
 * it cannot be a stranger's: else whoever signs up another's address would choose where the link in that mail leads.
 *
 * @throws {RequestProblem} `origin-not-allowed`
 */
function linkBase(c: AccountContext, { publicUrl, siteOrigins = [] }: SiteOrigins): string {
  if (publicUrl !== undefined) return publicUrl;
  const { origin, hostname } = new URL(c.req.url);
  if (isLoopbackHost(hostname) || siteOrigins.includes(origin)) return origin;
  throw new RequestProblem("origin-not-allowed", "Links are not mailed for this host name: ask at the public address.");
}

/** The account of the caller. */
export async function callersAccount(c: AccountContext, { accounts }: People): Promise<Account> {
  const { account: id } = c.get("identity");
  const found = id === undefined ? undefined : await accounts.find(id);
  if (found === undefined) throw c.get("missingCredential")("The account of this credential is deleted.");
  return found;
}

function registerSignUp(router: MeteredRouter, { people: accounts, site, onEvent }: AccountRoutes): void {
  addMeteredRoute(
    router,
    {
      method: "post",
      path: PATH,
      operationId: "signUp",
      tag: "Account",
      summary: "A link to sign up or in, by mail",
      description:
        "Mails a link of one hour and one use. The answer is the same whether or not the address has an account, and whether or not a mail could be sent.",
      access: PUBLIC,
      body: { json: SignUp, maxBytes: MAX_ACCOUNT_BYTES },
      problems: [403, 429],
      responses: {
        202: {
          description: "Look into the mailbox.",
          headers: {
            [DELIVERY_HEADER]: {
              description: "`outbox` where mails are written to files of the server, which has no mail server.",
              schema: { type: "string", enum: ["outbox"] },
            },
          },
          content: { [JSON_TYPE]: { schema: LinkMailed } },
        },
      },
    },
    async (c, { body }) => {
      const base = linkBase(c, site);
      await takeFrom(accounts.limits, SIGN_UPS, c.get("clientNetwork")());
      const email = parseEmailAddress(body.email) as string;
      const outcome = await accounts.mails.request({ email, name: body.name, base });
      if (outcome === "full") {
        throw new AccountProblem("upstream-unavailable", "Too many mails wait to be sent.", { retryAfter: 60 });
      }
      if (outcome === "taken") onEvent?.("link");
      const delivery = accounts.hasOutbox ? { [DELIVERY_HEADER]: "outbox" } : {};
      return Response.json({ status: "verification-sent" }, { status: 202, headers: { ...NO_CACHE, ...delivery } });
    },
  );
}

/** Registers `/v1/account`: the caller's account, and links to sign up or in. */
export function registerAccount(router: MeteredRouter, options: AccountRoutes, model: AccountModel): void {
  const { people: accounts, site, onEvent } = options;
  const account = { 200: { description: "The account.", content: { [JSON_TYPE]: { schema: model } } } };
  router.app.use(PATH, siteOnly(site));
  router.app.use(`${PATH}/*`, siteOnly(site));
  registerSignUp(router, options);
  const send = async (c: AccountContext, found: Account): Promise<Response> => {
    const active = await accounts.keys.countActive(found.id);
    return Response.json(accountDocument(found, active, c.get("baseUrl")), { headers: NO_CACHE });
  };
  addMeteredRoute(
    router,
    {
      method: "get",
      path: PATH,
      operationId: "getAccount",
      tag: "Account",
      summary: "The caller's account, with its limits",
      access: ACCOUNT,
      responses: account,
    },
    async (c) => send(c, await callersAccount(c, accounts)),
  );
  addMeteredRoute(
    router,
    {
      method: "patch",
      path: PATH,
      operationId: "changeAccount",
      tag: "Account",
      summary: "Another name",
      access: ACCOUNT,
      body: { json: Rename, maxBytes: MAX_ACCOUNT_BYTES },
      responses: account,
    },
    async (c, { body }) => {
      const { id } = await callersAccount(c, accounts);
      const renamed = await accounts.accounts.rename(id, body.name);
      return send(c, renamed ?? (await callersAccount(c, accounts)));
    },
  );
  addMeteredRoute(
    router,
    {
      method: "delete",
      path: PATH,
      operationId: "deleteAccount",
      tag: "Account",
      summary: "The end of the account",
      description:
        "Its keys, tokens and sessions stop within a minute, its address and name are forgotten. Counts stay, without them: until the month ends, who signs up with the same address goes on with them. A session may ask for it, no key.",
      access: SESSION,
      responses: { 204: { description: "The account is deleted." } },
    },
    async (c) => {
      const { id, email } = await callersAccount(c, accounts);
      accounts.lookup.forget(await accounts.accounts.remove(id));
      await accounts.mails.forget(email);
      onEvent?.("deleted");
      return new Response(null, { status: 204, headers: NO_CACHE });
    },
  );
}
