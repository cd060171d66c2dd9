import { anonymousIdentity, type Identity, ownerIdentity } from "@swath/accounts";
import { ACCOUNT, DATA, MAP, PUBLIC, type RouteAccess, SESSION } from "@swath/accounts/hono";
import { IMAGES, LEGACY, SEARCH } from "../../src/http/request/route-access.ts";

/** The kinds of callers, by the names that the documentation gives them. */
export const CALLERS = {
  nothing: anonymousIdentity("192.0.2.1"),
  "guest token": { credential: "guest", subject: "guest-id", scopes: ["tiles"], tier: "guest" },
  "owner's key": ownerIdentity("id"),
  "key, data": ofAccount("key", ["data"]),
  "key, account": ofAccount("key", ["account"]),
  "OAuth token, data": ofAccount("bearer", ["data"]),
  "OAuth token, account": ofAccount("bearer", ["account"]),
  session: ofAccount("bearer", ["data", "account", "session"]),
} as const satisfies Readonly<Record<string, Identity>>;
export type Caller = keyof typeof CALLERS;

function ofAccount(credential: "key" | "bearer", scopes: Identity["scopes"]): Identity {
  return { credential, subject: "id", account: "account", usedKey: "id", scopes, tier: "free" };
}

/** The classes of routes, by the name that the documentation gives them. */
export const ACCESS_CLASSES: Readonly<Record<string, { readonly access: RouteAccess; readonly summary: string }>> = {
  public: { access: PUBLIC, summary: "documents that everybody may read; a credential is not read" },
  search: { access: SEARCH, summary: "item search" },
  images: { access: IMAGES, summary: "tiles and previews; without a credential those that are finished already" },
  data: { access: DATA, summary: "everything else that reads data" },
  account: { access: ACCOUNT, summary: "the caller's account and keys" },
  map: { access: MAP, summary: "addresses with a map token in them, which alone is read; `/v1/maps` makes them" },
  session: { access: SESSION, summary: "sessions, and the end of the account: a key could lock out its person" },
  legacy: { access: LEGACY, summary: "the two legacy hosts, whose refusals are 403 in any case" },
};

/** Name of the class that a route is in. */
export function accessClassOf(access: RouteAccess): string {
  const found = Object.entries(ACCESS_CLASSES).find(([, each]) => each.access === access);
  if (found === undefined) throw new Error("A route is in none of the classes of access.");
  return found[0];
}
