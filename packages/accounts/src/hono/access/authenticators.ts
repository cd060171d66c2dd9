import { anyKeyLookup } from "../../keys/key-lookup.ts";
import { wrongCredentials } from "../../metering/counters/account-limits.ts";
import type { AccountsParts } from "../../open-accounts.ts";
import { GuessLimit } from "../../secrets/guess-limit.ts";
import type { Authenticator } from "./authenticator.ts";
import { bearerAuthenticator } from "./bearer-authenticator.ts";
import { keyAuthenticator } from "./key-authenticator.ts";
import { limitGuesses } from "./limit-guesses.ts";
import { mapAuthenticator } from "./map-authenticator.ts";

/**
 * Reads what the callers of a service may send: keys of its owner; where there are accounts also their keys, tokens and
 * sessions, and tokens of guests; map tokens in addresses. Wrong ones are counted where callers are counted by their network.
 *
 * @param realm name of the service in challenges (RFC 9110 section 11.5), of characters that need no quoting.
 */
export function authenticatorsOf(
  parts: Pick<AccountsParts, "keys" | "accounts" | "addressLimits" | "maps">,
  realm: string,
): readonly Authenticator[] {
  const { maps, accounts, addressLimits } = parts;
  if (maps === undefined) return ofHeaders(parts, realm);
  const guesses =
    accounts?.guesses ?? (addressLimits === undefined ? undefined : new GuessLimit(wrongCredentials(addressLimits)));
  const byMap = mapAuthenticator(maps.lookup);
  return [...ofHeaders(parts, realm), guesses === undefined ? byMap : limitGuesses(byMap, guesses)];
}

/** Keys of the owner; where there are accounts, also their keys, tokens and sessions, and guests. */
function ofHeaders(
  { keys, accounts, addressLimits }: Pick<AccountsParts, "keys" | "accounts" | "addressLimits">,
  realm: string,
): readonly Authenticator[] {
  if (accounts === undefined) {
    const byKey = keyAuthenticator(keys, { openEo: true });
    if (addressLimits === undefined) return [byKey];
    return [limitGuesses(byKey, new GuessLimit(wrongCredentials(addressLimits)))];
  }
  const all = anyKeyLookup([keys, accounts.lookup.keys]);
  return [
    keyAuthenticator(all, { description: "A key made with `POST /v1/keys`, or issued by the owner of the service." }),
    bearerAuthenticator(accounts.lookup.tokens, all, { realm }),
  ].map((each) => limitGuesses(each, accounts.guesses));
}
