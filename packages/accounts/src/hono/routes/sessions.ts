import { z } from "@hono/zod-openapi";
import { JSON_TYPE, RequestProblem } from "@swath/web";
import type { People } from "../../open-people.ts";
import { SESSION_MS } from "../../people/sign-in.ts";
import { bearerToken } from "../access/bearer-authenticator.ts";
import { PUBLIC, SESSION } from "../access/route-access.ts";
import type { AccountContext } from "../metering/context.ts";
import { addMeteredRoute, type MeteredRouter } from "../metering/route.ts";
import { AccountProblem } from "../problems.ts";
import { type AccountModel, accountDocument, dateTime, MAX_ACCOUNT_BYTES, NO_STORE } from "./models.ts";
import type { AccountRoutes } from "./options.ts";

const PATH = "/v1/account/session";
const SESSIONS_PATH = "/v1/account/sessions";
/** Ids as the store makes them: no other text gets there. */
const SESSION_ID = /^[0-9a-f]{24}$/;
const NO_CACHE = { "Cache-Control": NO_STORE };
const MailedToken = z
  .strictObject({
    token: z.string().min(1).max(256).openapi({ description: "What follows `#token=` in the mailed link." }),
  })
  .meta({ id: "MailedToken" });
const sessionModel = (account: AccountModel) =>
  z
    .object({
      accessToken: z.string(),
      tokenType: z.literal("Bearer"),
      expiresIn: z.int().openapi({ description: "Seconds without a request after which the session ends." }),
      account,
    })
    .meta({ id: "Session" });

const sessionList = (link: z.ZodType) =>
  z
    .object({
      sessions: z.array(
        z.object({
          id: z.string(),
          created: dateTime,
          lastUsed: dateTime.openapi({ description: "To the hour." }),
          expires: dateTime.openapi({
            description: "Unless it is used before; 30 days after it was begun at the latest.",
          }),
          current: z.boolean().openapi({ description: "Whether this request was sent with it." }),
        }),
      ),
      links: z.array(link),
    })
    .meta({ id: "SessionList" });

/** Registers `/v1/account/session`: a session for a mailed link, and its end. */
export function registerSession(
  router: MeteredRouter,
  { people: accounts, onEvent }: AccountRoutes,
  account: AccountModel,
): void {
  addMeteredRoute(
    router,
    {
      method: "post",
      path: PATH,
      operationId: "beginSession",
      tag: "Account",
      summary: "A session for a mailed link",
      description: "Verifies the e-mail address and makes its account where there is none.",
      access: PUBLIC,
      body: { json: MailedToken, maxBytes: MAX_ACCOUNT_BYTES },
      problems: [401, 403, 429],
      responses: { 201: { description: "A session.", content: { [JSON_TYPE]: { schema: sessionModel(account) } } } },
    },
    async (c, { body: { token } }) => {
      const signedIn = await accounts.guesses.identify("link", token, c.get("clientNetwork")(), () =>
        accounts.signIn.redeem(token),
      );
      if (signedIn === undefined) {
        throw router.access.missing("The link is unknown, used or expired: ask for another one.");
      }
      const { account: found, session, isNew } = signedIn;
      if (session === undefined) throw new AccountProblem("key-suspended", "This account is suspended.");
      if (isNew) onEvent?.("sign-up");
      onEvent?.("sign-in");
      const active = await accounts.keys.countActive(found.id);
      const document = accountDocument(found, active, c.get("baseUrl"));
      const body = { accessToken: session, tokenType: "Bearer", expiresIn: SESSION_MS / 1000, account: document };
      return Response.json(body, { status: 201, headers: NO_CACHE });
    },
  );
  addMeteredRoute(
    router,
    {
      method: "delete",
      path: PATH,
      operationId: "endSession",
      tag: "Account",
      summary: "The end of this session",
      access: SESSION,
      responses: { 204: { description: "The session has ended." } },
    },
    async (c) => {
      const id = await ownSession(c, accounts);
      if (id !== undefined) await end(c, accounts, id);
      return new Response(null, { status: 204, headers: NO_CACHE });
    },
  );
}

/** Id of the session that a request is sent with; undefined where it has ended meanwhile. */
async function ownSession(c: AccountContext, { sessions }: People): Promise<string | undefined> {
  const token = bearerToken(c.req.header("Authorization") ?? "") ?? "";
  return sessions.idOf(token.replace(/^basic\/\//, ""));
}

/** Ends a session of the caller's account. False: there is none of this id. */
async function end(c: AccountContext, { sessions, lookup }: People, id: string): Promise<boolean> {
  const stopped = await sessions.end(c.get("identity").account ?? "", id);
  lookup.forget(stopped ?? []);
  return stopped !== undefined;
}

/** Registers `/v1/account/sessions`: the account's sessions, and the end of each. */
export function registerSessions(router: MeteredRouter, { people: accounts, link }: AccountRoutes): void {
  addMeteredRoute(
    router,
    {
      method: "get",
      path: SESSIONS_PATH,
      operationId: "listSessions",
      tag: "Account",
      summary: "Sessions of the account",
      description: "Newest first, at most a hundred.",
      access: SESSION,
      responses: { 200: { description: "The sessions.", content: { [JSON_TYPE]: { schema: sessionList(link) } } } },
    },
    async (c) => {
      const [found, own] = await Promise.all([
        accounts.sessions.list(c.get("identity").account ?? ""),
        ownSession(c, accounts),
      ]);
      const sessions = found.map(({ id, created, lastUsed, expires }) => ({
        id,
        created: new Date(created).toISOString(),
        lastUsed: new Date(lastUsed).toISOString(),
        expires: new Date(expires).toISOString(),
        current: id === own,
      }));
      const href = `${c.get("baseUrl")}${SESSIONS_PATH}`;
      const links = [{ rel: "self", href, type: JSON_TYPE, title: "These sessions" }];
      return Response.json({ sessions, links }, { headers: NO_CACHE });
    },
  );
  addMeteredRoute(
    router,
    {
      method: "delete",
      path: `${SESSIONS_PATH}/{sessionId}`,
      operationId: "endSessionById",
      tag: "Account",
      summary: "The end of one session of the account",
      description: "The session stops within a minute on every node.",
      access: SESSION,
      params: z.object({ sessionId: z.string().openapi({ description: "Id of the session." }) }),
      responses: { 204: { description: "The session has ended." } },
    },
    async (c, { params: { sessionId } }) => {
      if (SESSION_ID.test(sessionId) && (await end(c, accounts, sessionId))) {
        return new Response(null, { status: 204, headers: NO_CACHE });
      }
      throw new RequestProblem("not-found", `The account has no session "${sessionId}".`, { headers: NO_CACHE });
    },
  );
}
