import type { Identity, Meter } from "@swath/accounts";
import type { Problem } from "@swath/problem";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Authentication } from "../../documents/authentication.ts";
import type { ProblemCode, ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";

/** Variables that middleware sets for handlers. */
export interface Variables {
  requestId: string;
  /** Origin and mount of this service as the client sees it, without a trailing slash. */
  baseUrl: string;
  /** The authentication of callers of this service, for STAC documents. */
  authentication: () => Authentication;
  log: Logger;
  /** Aborted when the client closes the connection or the request's time is over. */
  signal: AbortSignal;
  /** Returns the network of the client, as `clientNetwork` does. */
  clientNetwork: () => string;
  /** Whether the answer depends on a key or token: set before it is read, so on refusals too. */
  readsCredential?: true;
  /** The one origin that may read the answer, or none; absent: every origin. */
  allowedOrigin?: string | null;
  /** Names of the members of the engine's request in this route. */
  members?: MemberNames;
  /** Code of the problem that the request was answered with. */
  problemCode?: ProblemCode;
  /** The caller; set on routes that are not public. */
  identity: Identity;
  /** Returns the refusal of a caller who would need a key or token for the request; set with `identity`. */
  missingCredential: (detail: string) => ProblemError;
  /**
   * The form of problem documents on routes of a protocol whose clients expect another one: members may be added, and
   * the media type may differ.
   */
  problemForm?: (problem: Problem) => { readonly body: object; readonly mediaType: string };
  /** Admits the cost of a planned request; set on routes whose cost is `by-plan`. */
  meter: Meter;
}

/** The bindings that the server on Node's sockets gives with a request; absent where a request has no socket. */
interface Bindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
}

export type AppEnv = { Variables: Variables; Bindings: Bindings };
export type AppContext = Context<AppEnv>;
