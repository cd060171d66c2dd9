import { z } from "@hono/zod-openapi";
import { CLIENT_TOKENS, CredentialError, type Identity, keyScopesOf, type People, TOKEN_MS } from "@swath/accounts";
import { PROBLEM_MEDIA_TYPE } from "@swath/problem";
import type { MiddlewareHandler } from "hono";
import { TOKEN_PATH } from "../../access/bearer-authenticator.ts";
import { PUBLIC } from "../../access/route-access.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { ProblemError } from "../../errors/problems.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import type { AppEnv } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import type { SiteParts } from "../../operations/services.ts";
import { MAX_ACCOUNT_BYTES } from "./account-models.ts";
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
const errorsAsAsked: MiddlewareHandler<AppEnv> = async (c, next) => {
  const accept = c.req.header("Accept") ?? "";
  const isPlain = /\bapplication\/json\b/i.test(accept) && !/\bapplication\/problem\+json\b/i.test(accept);
  c.set("problemForm", (body) => ({ body, mediaType: isPlain ? JSON_TYPE : PROBLEM_MEDIA_TYPE }));
  await next();
};

/**
 * Returns the identity of the key that is the client's secret.
 *
 * @throws {ProblemError} `invalid_client`; `unauthorized_client` where the account may use no key or token.
 */
async function authenticateClient(accounts: People, client: Client, network: string): Promise<Identity> {
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
  if (identity === undefined) throw invalidClient();
  return identity;
}

/** The form of problems of the token route, also of those that are found before it is. */
export function registerTokenForm(router: Router): void {
  router.app.use(TOKEN_PATH, errorsAsAsked);
}

export function registerOAuth(router: Router, { metrics }: Pick<SiteParts, "metrics">, accounts: People): void {
  addRoute(
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
      const client = clientOf(c.req.header("Authorization"), form);
      const { subject, account, scopes } = await authenticateClient(accounts, client, c.get("clientNetwork")());
      if (account === undefined) throw invalidClient();
      const granted = grantedScopes(form, keyScopesOf(scopes.join(" ")));
      const wait = await accounts.limits.take(CLIENT_TOKENS, subject);
      if (wait !== undefined) {
        const limits = { tokensPerMinute: CLIENT_TOKENS.requests };
        const detail = `A client may get ${CLIENT_TOKENS.requests} tokens a minute: use each for its hour.`;
        throw new ProblemError("rate-limited", detail, { retryAfter: wait / 1000, limits });
      }
      const access_token = await accounts.tokens.issue(subject, account, granted);
      metrics?.account("token");
      const token = { access_token, token_type: "Bearer", expires_in: TOKEN_MS / 1000, scope: granted.join(" ") };
      return Response.json(token, { headers: { "Cache-Control": NO_STORE, Pragma: "no-cache" } });
    },
  );
}
