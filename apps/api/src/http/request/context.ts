import type { AccountVariables } from "@swath/account-api";
import type { SocketBindings } from "@swath/web";
import type { Context } from "hono";
import type { Authentication } from "../../documents/authentication.ts";
import type { MemberNames } from "../../errors/refusals.ts";

/** Variables that middleware sets for handlers. */
export interface Variables extends AccountVariables {
  /** The authentication of callers of this service, for STAC documents. */
  authentication: () => Authentication;
  /** Names of the members of the engine's request in this route. */
  members?: MemberNames;
}

export type AppEnv = { Variables: Variables; Bindings: SocketBindings };
export type AppContext = Context<AppEnv>;
