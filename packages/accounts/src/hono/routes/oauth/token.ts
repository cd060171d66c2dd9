import { z } from "@hono/zod-openapi";
import { PROBLEM_MEDIA_TYPE } from "@swath/problem";
import { JSON_TYPE } from "@swath/web";
import type { MiddlewareHandler } from "hono";
import { CredentialError } from "../../../errors.ts";
import type { Identity } from "../../../identity.ts";
import { keyScopesOf } from "../../../keys/account-keys.ts";
import { CLIENT_TOKENS } from "../../../metering/counters/account-limits.ts";
import { TOKEN_MS } from "../../../tokens/stored-tokens.ts";
import { TOKEN_PATH } from "../../access/bearer-authenticator.ts";
import { PUBLIC } from "../../access/route-access.ts";
import type { AccountEnv } from "../../metering/context.ts";
import { addMeteredRoute, type MeteredRouter } from "../../metering/route.ts";
import { AccountProblem } from "../../problems.ts";
import { MAX_ACCOUNT_BYTES, NO_STORE } from "../models.ts";
import type { AccountRoutes } from "../options.ts";
import {
  type Client,
  checkGrant,
  clientOf,
  grantedScopes,
  invalidClient,
  type TokenForm,
  tokenFault,
} from "./token-request.ts";

const text = z.string().optional();
const TokenRequest = z
  .looseObject({
    grant_type: text.openapi({ description: "`client_credentials`" }),
    scope: text.openapi({ description: "`data`, `account` or both, divided by a space." }),
    client_id: text.openapi({ description: "Where the client does not authenticate by HTTP Basic." }),
    client_secret: text,
  })
  .meta({ id: "TokenRequest" });
const Token = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int(),
    scope: z.string(),
  })
  .meta({ id: "Token" });

/**
 * Clients of OAuth expect `application/json` (RFC 6749 section 5.2): they get problem documents under that type when
 * they ask for it and not for problem documents.
 */
const errorsAsAsked: MiddlewareHandler<AccountEnv> = async (c, next) => {
  const accept = c.req.header("Accept") ?? "";
  const isPlain = /\bapplication\/json\b/i.test(accept) && !/\bapplication\/problem\+json\b/i.test(accept);
  c.set("problemForm", (body) => ({ body, mediaType: isPlain ? JSON_TYPE : PROBLEM_MEDIA_TYPE }));
  await next();
};

/**
 * Returns the identity of the key that is the client's secret.
 *
 * @throws {AccountProblem} `invalid_client`; `unauthorized_client` where the account may use no key or token.
 */
async function authenticateClient(
  { people: accounts, realm }: AccountRoutes,
  client: Client,
  network: string,
): Promise<Identity> {
  let identity: Identity | undefined;
  try {
    identity = await accounts.guesses.identify("client", client.secret, network, async () => {
      const found = await accounts.lookup.keys.identify(client.secret);
      return found?.subject === client.id ? found : undefined;
    });
  } catch (error) {
    if (error instanceof CredentialError) {
      throw tokenFault("unauthorized_client", error.message, error);
    }
    throw error;
  }
  if (identity === undefined) throw invalidClient(realm);
  return identity;
}

/** The form of problems of the token route, also of those that are found before it is. */
export function registerTokenForm<E extends AccountEnv>({ app }: Pick<MeteredRouter<E>, "app">): void {
  app.use(TOKEN_PATH, errorsAsAsked as unknown as MiddlewareHandler<E>);
}

/** Registers `/oauth/token`. */
export function registerOAuth(router: MeteredRouter, options: AccountRoutes): void {
  const { people: accounts, onEvent } = options;
  addMeteredRoute(
    router,
    {
      method: "post",
      path: TOKEN_PATH,
      operationId: "createToken",
      tag: "Account",
      summary: "An OAuth access token of one hour",
      description:
        "OAuth 2.0 client credentials (RFC 6749 section 4.4): the client id comes with a key, and the key is the secret. Ten tokens a client and minute. Errors are `application/json` for clients that accept it and not problem documents.",
      access: PUBLIC,
      body: {
        form: TokenRequest,
        maxBytes: MAX_ACCOUNT_BYTES,
        fault: (error) =>
          error.code === "body-too-large"
            ? error
            : tokenFault("invalid_request", `Expected a form with each member once. ${error.message}`, error),
      },
      problems: [401, 429],
      responses: { 200: { description: "The token.", content: { [JSON_TYPE]: { schema: Token } } } },
    },
    async (c, { body }) => {
      const form = body as TokenForm;
      checkGrant(form);
      const client = clientOf(c.req.header("Authorization"), form, options.realm);
      const { subject, account, scopes } = await authenticateClient(options, client, c.get("clientNetwork")());
      if (account === undefined) throw invalidClient(options.realm);
      const granted = grantedScopes(form, keyScopesOf(scopes.join(" ")));
      const wait = await accounts.limits.take(CLIENT_TOKENS, subject);
      if (wait !== undefined) {
        const limits = { tokensPerMinute: CLIENT_TOKENS.requests };
        const detail = `A client may get ${CLIENT_TOKENS.requests} tokens a minute: use each for its hour.`;
        throw new AccountProblem("rate-limited", detail, { retryAfter: wait / 1000, limits });
      }
      const access_token = await accounts.tokens.issue(subject, account, granted);
      onEvent?.("token");
      const token = { access_token, token_type: "Bearer", expires_in: TOKEN_MS / 1000, scope: granted.join(" ") };
      return Response.json(token, { headers: { "Cache-Control": NO_STORE, Pragma: "no-cache" } });
    },
  );
}
