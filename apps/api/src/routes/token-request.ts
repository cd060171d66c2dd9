import { ProblemError } from "@swath/problem";
import type { KeyScope } from "../access/keys/account-keys.ts";
import { KEY_SCOPES } from "../access/keys/account-keys.ts";
import { REALM } from "../access/tokens/bearer-authenticator.ts";

/** Members of a token request (RFC 6749 section 4.4.2); others are ignored, as section 3.2 says. */
export interface TokenForm {
  readonly grant_type?: string | undefined;
  readonly scope?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

export interface Client {
  readonly id: string;
  readonly secret: string;
}

type TokenFault = "invalid_request" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope";

/** An error of RFC 6749 section 5.2. */
export function tokenFault(error: TokenFault, detail: string, cause?: unknown): ProblemError {
  return new ProblemError("invalid-token-request", detail, {
    members: { error, error_description: detail },
    cause,
  });
}

export function invalidClient(): ProblemError {
  const detail = "The client is unknown, or its secret is wrong, expired or revoked.";
  return new ProblemError("invalid-client", detail, {
    headers: { "WWW-Authenticate": `Basic realm="${REALM}"` },
    members: { error: "invalid_client", error_description: detail },
  });
}

/** `application/x-www-form-urlencoded` of one value (RFC 6749 appendix B). */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

/** @throws {ProblemError} `invalid-client` for what is no Basic authentication. */
function basicClient(header: string): Client {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) throw invalidClient();
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) };
  } catch {
    throw invalidClient();
  }
}

/**
 * The client of a token request: by HTTP Basic, or by members of the body (RFC 6749 section 2.3.1).
 *
 * @throws {ProblemError} `invalid_request` for both at once; `invalid_client` for neither.
 */
export function clientOf(header: string | undefined, { client_id, client_secret }: TokenForm): Client {
  if (header === undefined || header === "") {
    if (client_id === undefined || client_secret === undefined) throw invalidClient();
    return { id: client_id, secret: client_secret };
  }
  const client = basicClient(header);
  if (client_secret !== undefined || (client_id !== undefined && client_id !== client.id)) {
    throw tokenFault("invalid_request", "The client authenticates twice: by the Authorization header and in the body.");
  }
  return client;
}

/** @throws {ProblemError} `invalid_request`, `unsupported_grant_type`. */
export function checkGrant({ grant_type }: TokenForm): void {
  if (grant_type === undefined || grant_type === "") throw tokenFault("invalid_request", "grant_type is missing.");
  if (grant_type !== "client_credentials") {
    throw tokenFault("unsupported_grant_type", "The only grant type is client_credentials.");
  }
}

/**
 * Scopes of a token: those that are asked for and that the key has. Without any asked for it is `data`, which is what
 * most tokens are for, or what a key without that scope has.
 *
 * @throws {ProblemError} `invalid_scope` for an unknown scope, and where nothing is left.
 */
export function grantedScopes({ scope = "" }: TokenForm, ofKey: readonly KeyScope[]): readonly KeyScope[] {
  const asked = scope.split(" ").filter((word) => word !== "");
  if (asked.length === 0) return ofKey.includes("data") ? ["data"] : ofKey;
  const unknown = asked.find((word) => !KEY_SCOPES.some((known) => known === word));
  if (unknown !== undefined) {
    throw tokenFault("invalid_scope", `Expected scopes of ${KEY_SCOPES.join(" and ")}, divided by spaces.`);
  }
  const granted = ofKey.filter((each) => asked.includes(each));
  if (granted.length === 0) throw tokenFault("invalid_scope", "The key has none of these scopes.");
  return granted;
}
