import { registerAccount } from "../routes/account.ts";
import { registerSession, registerSessions } from "../routes/account-session.ts";
import { registerAccountPage } from "../routes/explorer.ts";
import { registerGuests } from "../routes/guests.ts";
import { registerKeys } from "../routes/keys.ts";
import { registerOAuth } from "../routes/oauth.ts";
import { registerOAuthMetadata } from "../routes/oauth-metadata.ts";
import type { Services } from "../services.ts";
import type { RouteModule } from "./profile.ts";

/** Accounts with their page, keys, OAuth and guests; none of them where the service has no accounts. */
export function accountModules(services: Services): readonly RouteModule[] {
  const { accounts } = services;
  if (accounts === undefined) return [];
  return [
    (router) => registerAccount(router, services, accounts),
    (router) => registerSession(router, services, accounts),
    (router) => registerSessions(router, accounts),
    (router) => registerKeys(router, services, accounts),
    (router) => registerOAuth(router, services, accounts),
    registerOAuthMetadata,
    (router) => registerGuests(router, services, accounts),
    (router) => registerAccountPage(router),
  ];
}
