import type { Identity, Meter } from "@swath/accounts";
import type { SocketBindings, WebVariables } from "@swath/web";
import type { Context } from "hono";
import type { Authentication } from "../../documents/authentication.ts";
import type { ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";

/** Variables that middleware sets for handlers. */
export interface Variables extends WebVariables {
  /** The authentication of callers of this service, for STAC documents. */
  authentication: () => Authentication;
  /** Whether the answer depends on a key or token: set before it is read, so on refusals too. */
  readsCredential?: true;
  /** Names of the members of the engine's request in this route. */
  members?: MemberNames;
  /** The caller; set on routes that are not public. */
  identity: Identity;
  /** Returns the refusal of a caller who would need a key or token for the request; set with `identity`. */
  missingCredential: (detail: string) => ProblemError;
  /** Admits the cost of a planned request; set on routes whose cost is `by-plan`. */
  meter: Meter;
}

export type AppEnv = { Variables: Variables; Bindings: SocketBindings };
export type AppContext = Context<AppEnv>;
