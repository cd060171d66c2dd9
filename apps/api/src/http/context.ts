import type { Context } from "hono";
import type { Logger } from "pino";
import type { Identity } from "../keys/key-ring.ts";

/** What middleware leaves for handlers. */
export interface Variables {
  requestId: string;
  /** Origin and mount of this service as the client sees it, without a trailing slash. */
  baseUrl: string;
  log: Logger;
  /** Aborted when the client leaves or the request's time is over. */
  signal: AbortSignal;
  /** Set on routes that need a key. */
  identity: Identity;
}

export type AppEnv = { Variables: Variables };
export type AppContext = Context<AppEnv>;
