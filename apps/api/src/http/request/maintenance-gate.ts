import { isAccountPath } from "@swath/accounts/hono";
import type { Maintenance } from "@swath/accounts/owner";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./context.ts";

/** Paths that are closed: the API, its tools and tokens. Pages of the website and the guides go on. */
const CLOSED = /^\/(?:v1|mcp|oauth)(?:\/|$)/;
const HEALTH = /^\/v1\/health\/?$/;

/**
 * Ends every request of the API while the owner has closed the service. Health is reported in any case, and requests about
 * accounts go on, so that a key can be revoked at any time.
 */
export function maintenanceGate(maintenance: Maintenance): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { path, method } = c.req;
    const goesOn = method === "OPTIONS" || !CLOSED.test(path) || HEALTH.test(path) || isAccountPath(path);
    if (!goesOn) maintenance.check();
    return next();
  };
}
