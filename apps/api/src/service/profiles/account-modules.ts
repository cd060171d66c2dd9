import type { Services } from "../../operations/services.ts";
import { registerAccount } from "../../routes/account/account.ts";
import { registerSession, registerSessions } from "../../routes/account/account-session.ts";
import { registerGuests } from "../../routes/account/guests.ts";
import { registerKeys } from "../../routes/account/keys.ts";
import { registerOAuth } from "../../routes/account/oauth.ts";
import { registerOAuthMetadata } from "../../routes/account/oauth-metadata.ts";
import { registerAccountPage } from "../../routes/site/explorer.ts";
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
