import type { GuessLimit } from "../../secrets/guess-limit.ts";
import type { Authenticator } from "./authenticator.ts";

/** An authenticator whose wrong secrets are counted. */
export function limitGuesses(authenticator: Authenticator, guesses: GuessLimit): Authenticator {
  const kind = (["bearer", "map"] as const).find((each) => authenticator.kinds.includes(each)) ?? "key";
  return {
    ...authenticator,
    identify: (secret, credentials) =>
      guesses.identify(kind, secret, credentials.network(), () => authenticator.identify(secret, credentials)),
  };
}
