import type { AccountEnv } from "../metering/context.ts";
import type { MeteredRouter } from "../metering/route.ts";
import { registerAccount } from "./account.ts";
import { registerGuests } from "./guests.ts";
import { registerKeys } from "./keys.ts";
import { accountModel } from "./models.ts";
import { registerOAuthMetadata } from "./oauth/metadata.ts";
import { registerOAuth } from "./oauth/token.ts";
import type { AccountRoutes } from "./options.ts";
import { registerSession, registerSessions } from "./sessions.ts";

/**
 * Registers accounts, sessions, keys, OAuth and guests: `/v1/account`, `/v1/keys`, `/v1/guest`, `/oauth/token` and its metadata.
 * `registerTokenForm` comes before it, ahead of whatever may refuse a request.
 */
export function registerAccounts<E extends AccountEnv>(router: MeteredRouter<E>, options: AccountRoutes): void {
  // routes read no variables but those of this package
  const own = router as unknown as MeteredRouter;
  const model = accountModel(options.link);
  registerAccount(own, options, model);
  registerSession(own, options, model);
  registerSessions(own, options);
  registerKeys(own, options);
  registerOAuth(own, options);
  registerOAuthMetadata(own, options);
  registerGuests(own, options);
}

/** Paths below which everything is about accounts. */
const ACCOUNTS = /^\/v1\/(?:account|keys|maps|usage)(?:\/|$)/;

/** Whether a path is about accounts: what is closed for a time or for its cost may leave these open, so that keys can be revoked. */
export function isAccountPath(path: string): boolean {
  return ACCOUNTS.test(path);
}
