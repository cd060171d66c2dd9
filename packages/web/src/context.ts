import type { Problem } from "@swath/problem";
import type { Context } from "hono";

/** A log of lines with members, as pino and its like write it. */
export interface Log {
  /** A log whose lines have these members too. */
  child(members: Readonly<Record<string, unknown>>): Log;
  debug(members: object, message: string): void;
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}

/** Variables that `requestScope` and other middleware set for handlers. */
export interface WebVariables {
  requestId: string;
  /** Origin and mount of the service as the client sees it, without a trailing slash. */
  baseUrl: string;
  log: Log;
  /** Aborted when the client closes the connection or the request's time is over. */
  signal: AbortSignal;
  /** Returns the network of the client, as `clientNetwork` does. */
  clientNetwork: () => string;
  /** The one origin that may read the answer, or none; absent: every origin. */
  allowedOrigin?: string | null;
  /** Returns a path as logs and problems show it; absent: as it is. */
  shownPath?: (path: string) => string;
  /** Id of the trace that the request is recorded in; absent: in none. */
  traceId?: string;
  /** Code of the problem that the request was answered with. */
  problemCode?: string;
  /** The form of problems on this route, for clients of a protocol: members may be added, and the media type may differ. */
  problemForm?: (problem: Problem) => { readonly body: object; readonly mediaType: string };
}

/** The environment of a Hono app that this package works in; a service extends its `Variables`. */
export type WebEnv = {
  Variables: WebVariables;
  /** Given by the server on Node's sockets with a request; absent where a request has no socket. */
  Bindings: { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };
};
/** The context of a request in such an app. */
export type WebContext = Context<WebEnv>;
