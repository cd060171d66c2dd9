import type { Context } from "hono";
import type { Logger } from "pino";
import type { Identity } from "../access/identity.ts";
import type { Meter } from "../metering/meter.ts";

/** What middleware sets for handlers. */
export interface Variables {
  requestId: string;
  /** Origin and mount of this service as the client sees it, without a trailing slash. */
  baseUrl: string;
  log: Logger;
  /** Aborted when the client closes the connection or the request's time is over. */
  signal: AbortSignal;
  /** Whether the answer depends on a credential: set before it is read, so on refusals too. */
  readsCredential?: true;
  /** Who asks; set on routes that are not public. */
  identity: Identity;
  /** Admits the cost of a planned request; set on routes whose cost is `by-plan`. */
  meter: Meter;
}

export type AppEnv = { Variables: Variables };
export type AppContext = Context<AppEnv>;
