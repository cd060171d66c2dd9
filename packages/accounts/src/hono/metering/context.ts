import type { WebEnv, WebVariables } from "@swath/web";
import type { Context } from "hono";
import type { Identity } from "../../identity.ts";
import type { Meter } from "../../metering/answers/meter.ts";
import type { AccountProblem } from "../problems.ts";

/** Variables that routes of this package set for handlers. */
export interface AccountVariables extends WebVariables {
  /** Whether the answer depends on a key or token: set before it is read, so on refusals too. */
  readsCredential?: true;
  /** The caller; set on routes that are not public. */
  identity: Identity;
  /** Returns the refusal of a caller who would need a key or token for the request; set with `identity`. */
  missingCredential: (detail: string) => AccountProblem;
  /** Admits the cost of a planned request; set on routes whose cost is `by-plan`. */
  meter: Meter;
}

/** The environment of a Hono app that this package works in; a service extends its `Variables`. */
export type AccountEnv = { Variables: AccountVariables; Bindings: WebEnv["Bindings"] };
/** The context of a request in such an app. */
export type AccountContext = Context<AccountEnv>;
