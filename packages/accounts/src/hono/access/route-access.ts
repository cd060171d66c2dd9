import type { CredentialKind, Identity, Scope } from "../../identity.ts";
import type { RequestKind } from "../../metering/answers/admission.ts";

/**
 * The callers that a route takes: the kinds of keys and tokens that it reads, and the scopes of which a caller needs
 * one.
 */
export interface RouteAccess {
  /** `["none"]`: everybody may ask, and a key or token that is sent is not read. */
  readonly credentials: readonly ["none"] | readonly CredentialKind[];
  readonly scopes: readonly Scope[];
}

/** Documents that everybody may read. */
export const PUBLIC: RouteAccess = { credentials: ["none"], scopes: [] };

/** Routes that read data. */
export const DATA: RouteAccess = { credentials: ["key", "bearer"], scopes: ["data"] };

/** The caller's own account and keys. */
export const ACCOUNT: RouteAccess = { credentials: ["key", "bearer"], scopes: ["account"] };

/** The access of routes for sessions alone: a stolen key must neither end the account nor the sessions that revoke it. */
export const SESSION: RouteAccess = { credentials: ["bearer"], scopes: ["session"] };

/** Addresses of images that have a map token in them. */
export const MAP: RouteAccess = { credentials: ["map"], scopes: ["map"] };

/** Tells whether everybody may ask. */
export function isPublic({ credentials }: RouteAccess): boolean {
  return credentials.some((each) => each === "none");
}

/** Tells whether the route takes keys or tokens of this kind. */
export function takes({ credentials }: RouteAccess, kind: CredentialKind): boolean {
  return credentials.some((each) => each === kind);
}

/** Whether the identity has one of these scopes. */
export function permitsAny(identity: Identity, scopes: readonly Scope[]): boolean {
  return identity.scopes.some((scope) => scopes.includes(scope));
}

/** Tells whether the route takes the identity: by the kind of its key or token, and by one of its scopes. */
export function permits(access: RouteAccess, identity: Identity): boolean {
  return takes(access, identity.credential) && permitsAny(identity, access.scopes);
}

/** Returns the kind as which requests of the route are counted. */
export function requestKind(access: RouteAccess): RequestKind {
  if (access === ACCOUNT || access === SESSION) return "account";
  return access.scopes.includes("cached-images") || access === MAP ? "image" : "other";
}

/** 200: the route is carried out. 401: a key or token is missing. 403: it is good, and not for this route. */
export function accessStatus(access: RouteAccess, caller: Identity): 200 | 401 | 403 {
  if (isPublic(access) || permits(access, caller)) return 200;
  // no header is read
  if (takes(access, "map")) return 401;
  return caller.credential === "anonymous" ? 401 : 403;
}
