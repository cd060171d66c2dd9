import { KEY_SCOPES, type KeyScope } from "../../../keys/account-keys.ts";
import { AccountProblem } from "../../problems.ts";

/** Members of a token request (RFC 6749 section 4.4.2); others are ignored, as section 3.2 says. */
export interface TokenForm {
  readonly grant_type?: string | undefined;
  readonly scope?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** The client id and the key of a client of OAuth. */
export interface Client {
  readonly id: string;
  readonly secret: string;
}

type TokenFault = "invalid_request" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope";

/** The text as `error_description` may have it: ASCII without quotation marks and backslashes (RFC 6749 section 5.2). */
const described = (detail: string): string => detail.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, "?");

/** An error of RFC 6749 section 5.2. */
export function tokenFault(error: TokenFault, detail: string, cause?: unknown): AccountProblem {
  return new AccountProblem("invalid-token-request", detail, {
    members: { error, error_description: described(detail) },
    cause,
  });
}

/** The error for a client that is not known, with the challenge of HTTP Basic (RFC 6749 section 5.2). */
export function invalidClient(
  realm: string,
  detail = "The client is unknown, or its secret is wrong, expired or revoked.",
): AccountProblem {
  return new AccountProblem("invalid-client", detail, {
    headers: { "WWW-Authenticate": `Basic realm="${realm}"` },
    members: { error: "invalid_client", error_description: described(detail) },
  });
}

/** Returns the sent text, cut to the length that a message repeats. */
const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);

/** `application/x-www-form-urlencoded` of one value (RFC 6749 appendix B). */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

const NO_BASIC = "Expected HTTP Basic authentication of a client id and a key in the Authorization header.";

/** @throws {AccountProblem} `invalid-client` for what is no Basic authentication. */
function basicClient(header: string, realm: string): Client {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) throw invalidClient(realm, NO_BASIC);
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) };
  } catch {
    throw invalidClient(realm, NO_BASIC);
  }
}

/**
 * The client of a token request: by HTTP Basic, or by members of the body (RFC 6749 section 2.3.1).
 *
 * @throws {AccountProblem} `invalid_request` for both at once; `invalid_client` for neither.
 */
export function clientOf(header: string | undefined, { client_id, client_secret }: TokenForm, realm: string): Client {
  if (header === undefined || header === "") {
    if (client_id === undefined || client_secret === undefined) {
      const detail = "Expected a client: HTTP Basic authentication, or client_id and client_secret in the form.";
      throw invalidClient(realm, detail);
    }
    return { id: client_id, secret: client_secret };
  }
  const client = basicClient(header, realm);
  if (client_secret !== undefined || (client_id !== undefined && client_id !== client.id)) {
    throw tokenFault("invalid_request", "The client authenticates twice: by the Authorization header and in the body.");
  }
  return client;
}

/**
 * Refuses any grant but `client_credentials`.
 *
 * @throws {AccountProblem} `invalid_request`, `unsupported_grant_type`.
 */
export function checkGrant({ grant_type }: TokenForm): void {
  if (grant_type === undefined || grant_type === "")
    throw tokenFault("invalid_request", "grant_type is missing: expected client_credentials.");
  if (grant_type !== "client_credentials") {
    throw tokenFault(
      "unsupported_grant_type",
      `Expected the grant_type client_credentials, got "${shown(grant_type)}".`,
    );
  }
}

/**
 * Scopes of a token: those that are asked for and that the key has. Without any asked for it is `data`, which is what
 * most tokens are for, or what a key without that scope has.
 *
 * @throws {AccountProblem} `invalid_scope` for an unknown scope, and where nothing is left.
 */
export function grantedScopes({ scope = "" }: TokenForm, ofKey: readonly KeyScope[]): readonly KeyScope[] {
  const asked = scope.split(" ").filter((word) => word !== "");
  if (asked.length === 0) return ofKey.includes("data") ? ["data"] : ofKey;
  const unknown = asked.find((word) => !KEY_SCOPES.some((known) => known === word));
  if (unknown !== undefined) {
    const known = KEY_SCOPES.join(" and ");
    throw tokenFault("invalid_scope", `Expected scopes of ${known}, divided by spaces, got "${shown(unknown)}".`);
  }
  const granted = ofKey.filter((each) => asked.includes(each));
  if (granted.length === 0) {
    throw tokenFault("invalid_scope", `Expected scopes of this key, ${ofKey.join(" and ")}; got ${asked.join(" ")}.`);
  }
  return granted;
}
