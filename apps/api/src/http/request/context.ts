import type { Identity, Meter } from "@swath/accounts";
import type { Problem } from "@swath/problem";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Authentication } from "../../documents/authentication.ts";
import type { ProblemCode, ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";

/** What middleware sets for handlers. */
export interface Variables {
  requestId: string;
  /** Origin and mount of this service as the client sees it, without a trailing slash. */
  baseUrl: string;
  /** How callers of this service authenticate, as STAC documents say it. */
  authentication: () => Authentication;
  log: Logger;
  /** Aborted when the client closes the connection or the request's time is over. */
  signal: AbortSignal;
  /** Where the client asks from, as `clientNetwork` says. */
  clientNetwork: () => string;
  /** Whether the answer depends on a credential: set before it is read, so on refusals too. */
  readsCredential?: true;
  /** The one origin that may read the answer, or none; absent: every origin. */
  allowedOrigin?: string | null;
  /** What members of the engine's request are called in this route. */
  members?: MemberNames;
  /** Code of the problem that the request was answered with. */
  problemCode?: ProblemCode;
  /** Who asks; set on routes that are not public. */
  identity: Identity;
  /** The refusal of a caller who would need a credential for what it asks; set with `identity`. */
  missingCredential: (detail: string) => ProblemError;
  /**
   * The form of problem documents on routes of a protocol whose clients expect another one: members may be added, and
   * the media type may differ.
   */
  problemForm?: (problem: Problem) => { readonly body: object; readonly mediaType: string };
  /** Admits the cost of a planned request; set on routes whose cost is `by-plan`. */
  meter: Meter;
}

/** What the server on Node's sockets gives with a request; absent where a request has no socket. */
interface Bindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
}

export type AppEnv = { Variables: Variables; Bindings: Bindings };
export type AppContext = Context<AppEnv>;
