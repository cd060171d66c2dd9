import { z } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import { SESSION_MS } from "../access/accounts/sign-in.ts";
import { PUBLIC, SESSION } from "../access/route-access.ts";
import { bearerToken } from "../access/tokens/bearer-authenticator.ts";
import { JSON_TYPE, NO_STORE } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import type { AccountServices } from "../open-accounts.ts";
import type { Services } from "../services.ts";
import { AccountDocument, accountDocument, MAX_ACCOUNT_BYTES } from "./account-models.ts";

const PATH = "/v1/account/session";
const NO_CACHE = { "Cache-Control": NO_STORE };
const MailedToken = z
  .strictObject({
    token: z.string().min(1).max(256).openapi({ description: "What follows `#token=` in the mailed link." }),
  })
  .meta({ id: "MailedToken" });
const Session = z
  .object({
    accessToken: z.string(),
    tokenType: z.literal("Bearer"),
    expiresIn: z.int().openapi({ description: "Seconds without a request after which the session ends." }),
    account: AccountDocument,
  })
  .meta({ id: "Session" });

export function registerSession(router: Router, { metrics }: Services, accounts: AccountServices): void {
  addRoute(
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
      responses: { 201: { description: "A session.", content: { [JSON_TYPE]: { schema: Session } } } },
    },
    async (c, { body: { token } }) => {
      const signedIn = await accounts.guesses.identify(token, c.get("clientNetwork")(), () =>
        accounts.signIn.redeem(token),
      );
      if (signedIn === undefined) {
        throw router.access.missing("The link is unknown, used or expired: ask for another one.");
      }
      const { account, session, isNew } = signedIn;
      if (session === undefined) throw new ProblemError("key-suspended", "This account is suspended.");
      if (isNew) metrics?.account("sign-up");
      metrics?.account("sign-in");
      const active = await accounts.keys.countActive(account.id);
      const document = accountDocument(account, active, c.get("baseUrl"));
      const body = { accessToken: session, tokenType: "Bearer", expiresIn: SESSION_MS / 1000, account: document };
      return Response.json(body, { status: 201, headers: NO_CACHE });
    },
  );
  addRoute(
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
      const token = bearerToken(c.req.header("Authorization") ?? "");
      if (token !== undefined) accounts.lookup.forget(await accounts.signIn.end(token.replace(/^basic\/\//, "")));
      return new Response(null, { status: 204, headers: NO_CACHE });
    },
  );
}
