import type { Admission } from "@swath/accounts";
import type { Access } from "@swath/accounts/hono";
import type { Router } from "../../http/request/route.ts";

/** Registers the routes of one resource. */
export type RouteModule = (router: Router) => void;

/** The contents of a service and its callers: a list of route modules, in order, and the policies of their requests. */
export interface Profile {
  readonly modules: readonly RouteModule[];
  readonly access: Access;
  readonly admission: Admission;
}
