import type { Identity, Meter } from "@swath/accounts";
import type { SocketBindings, WebVariables } from "@swath/web";
import type { Context } from "hono";
import type { Authentication } from "../../documents/authentication.ts";
import type { ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";

/** What middleware sets for handlers. */
export interface Variables extends WebVariables {
  /** How callers of this service authenticate, as STAC documents say it. */
  authentication: () => Authentication;
  /** Whether the answer depends on a credential: set before it is read, so on refusals too. */
  readsCredential?: true;
  /** What members of the engine's request are called in this route. */
  members?: MemberNames;
  /** Who asks; set on routes that are not public. */
  identity: Identity;
  /** The refusal of a caller who would need a credential for what it asks; set with `identity`. */
  missingCredential: (detail: string) => ProblemError;
  /** Admits the cost of a planned request; set on routes whose cost is `by-plan`. */
  meter: Meter;
}

export type AppEnv = { Variables: Variables; Bindings: SocketBindings };
export type AppContext = Context<AppEnv>;
