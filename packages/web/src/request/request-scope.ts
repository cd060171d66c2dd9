import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { Log, WebEnv } from "../context.ts";
import { clientNetwork } from "./client-network.ts";

/** Time a request may take before it is answered 504, so that the answer beats a gateway's limit of 29 s. */
export const REQUEST_DEADLINE_MS = 28_000;

/** The reason of a signal that aborted because a request's time was over. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds / 1000} s.`);
  }
}

/** The reason of a signal that aborted because the client closed the connection. */
class ClientClosedError extends Error {
  override readonly name = "ClientClosedError";
  constructor() {
    super("The client closed the connection.");
  }
}

/** Whether the client has closed the connection of the request with this signal. */
export function isClosed(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof ClientClosedError;
}

const INBOUND_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Settings of all requests of a service. */
export interface ScopeOptions {
  /** By default nothing is logged. */
  readonly log?: Log;
  /** Base of absolute links; by default the origin of the request. */
  readonly publicUrl?: string;
  /** Time that a request may take; default {@link REQUEST_DEADLINE_MS}. */
  readonly deadlineMs?: number;
  /** Count of proxies in front that are believed for the client's address; default 0. */
  readonly trustedProxies?: number;
  /** Returns a path as logs and problems show it, without what is secret in it; default: as it is. */
  readonly shownPath?: (path: string) => string;
  /** Further members of the line that each request logs. */
  readonly logged?: (c: Context) => Readonly<Record<string, unknown>>;
}

const nothing = (): void => {};
const SILENT: Log = { child: () => SILENT, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Gives each request its id, its log, its base URL and the one signal that ends all work done for it. */
export function requestScope({
  log = SILENT,
  publicUrl,
  deadlineMs = REQUEST_DEADLINE_MS,
  trustedProxies = 0,
  shownPath,
  logged,
}: ScopeOptions): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const inbound = c.req.header("X-Request-Id");
    const requestId = inbound !== undefined && INBOUND_ID.test(inbound) ? inbound : randomUUID();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new DeadlineError(deadlineMs)), deadlineMs);
    const abort = (): void => controller.abort(new ClientClosedError());
    const client = c.req.raw.signal;
    if (client.aborted) abort();
    else client.addEventListener("abort", abort, { once: true });
    c.set("requestId", requestId);
    if (shownPath !== undefined) c.set("shownPath", shownPath);
    c.set("baseUrl", publicUrl ?? new URL(c.req.url).origin);
    c.set("log", log.child({ requestId }));
    c.set("signal", controller.signal);
    c.set("clientNetwork", () => {
      const socket = c.env?.incoming?.socket?.remoteAddress;
      return clientNetwork({ socket, forwardedFor: c.req.header("X-Forwarded-For") }, trustedProxies);
    });
    const started = performance.now();
    try {
      await next();
    } finally {
      clearTimeout(timer);
      client.removeEventListener("abort", abort);
    }
    c.res.headers.set("X-Request-Id", requestId);
    c.get("log").info(
      {
        method: c.req.method,
        path: shownPath?.(c.req.path) ?? c.req.path,
        status: c.res.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ...logged?.(c),
      },
      "request",
    );
  };
}
