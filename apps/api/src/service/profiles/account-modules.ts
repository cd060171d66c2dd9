import type { AccountsParts } from "@swath/accounts";
import { type AccountEvent, registerAccounts, registerMaps, registerUsage } from "@swath/accounts/hono";
import { didYouMean } from "@swath/engine/search";
import { SCHEMA_VERSION } from "@swath/schema";
import { Link } from "@swath/stac";
import { CACHE_DOCUMENT } from "../../http/answer/documents.ts";
import type { Router } from "../../http/request/route.ts";
import type { SearchParts, SiteParts } from "../../operations/services.ts";
import { registerAccountPage } from "../../routes/site/explorer.ts";
import type { RouteModule } from "./profile.ts";

/** Name of the service in challenges. */
export const REALM = "swath";

const OAUTH = {
  resources: [
    { path: "", operationId: "getProtectedResource" },
    { path: "/mcp", operationId: "getProtectedMcp" },
  ],
  documentation: "/docs/guides/accounts",
  cacheControl: CACHE_DOCUMENT,
  version: SCHEMA_VERSION,
};

/** Accounts of people, and their units; each absent where the service has none. */
type AccountModuleParts = SiteParts &
  Pick<SearchParts, "registry"> &
  Pick<AccountsParts, "accounts" | "units" | "keyPrefixOf" | "maps" | "addressLimits">;

/** Accounts with their page, keys, OAuth and guests, and what they have spent; none of them where the service has no accounts. */
export function accountModules({
  accounts,
  metrics,
  http,
  now,
  units,
  keyPrefixOf,
  maps,
  registry,
  addressLimits,
}: AccountModuleParts): readonly RouteModule[] {
  const onEvent = metrics === undefined ? {} : { onEvent: (event: AccountEvent) => metrics.account(event) };
  const prefixes = keyPrefixOf === undefined ? {} : { keyPrefixOf };
  const usage = units === undefined ? undefined : { units, now, link: Link, ...prefixes };
  const routes =
    accounts === undefined
      ? undefined
      : { people: accounts, site: http, realm: REALM, now, link: Link, oauth: OAUTH, ...onEvent };
  const known = {
    presets: [...[...registry.presets, ...registry.furtherPresets].map(({ id }) => id), "custom"],
    collections: registry.listed.map(({ id }) => id),
  };
  const limits = addressLimits === undefined ? {} : { limits: addressLimits };
  return [
    ...(maps === undefined
      ? []
      : [
          (router: Router) =>
            registerMaps(router, { maps, site: http, now, link: Link, known, suggest: didYouMean, ...limits }),
        ]),
    ...(routes === undefined ? [] : [(router: Router) => registerAccounts(router, routes), registerAccountPage]),
    ...(usage === undefined ? [] : [(router: Router) => registerUsage(router, usage)]),
  ];
}
