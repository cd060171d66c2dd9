import { addMeteredRoute, type MeteredRoute, type MeteredRouter } from "@swath/account-api";
import { type Fields, type HeaderDescriptions, header, type RouteHandler } from "@swath/web";
import type { z } from "zod";
import type { MemberNames } from "../../errors/refusals.ts";
import type { AppEnv } from "./context.ts";

/** The app, its paths and its policies. */
export type Router = MeteredRouter<AppEnv>;

/** One operation of the service, with its callers and its cost. */
export interface ServiceRoute<P extends Fields, Q extends Fields, B>
  extends Omit<MeteredRoute<P, Q, B, AppEnv>, "headers" | "statuses"> {
  /** Names of the members of the engine's request in this route; absent: refusals name no member. */
  readonly members?: MemberNames;
}

/** The problems that each route may answer, beside those of its caller and its request. */
export const EVERY_ROUTE: NonNullable<Router["everyRoute"]> = {
  problems: [503, 504],
  statuses: {
    503: {
      description: "The upstream catalog or the renderer did not answer.",
      headers: { "Retry-After": header("Seconds until the request can succeed.", "integer") },
    },
  },
};
const CONTENT_LOCATION: HeaderDescriptions = {
  "Content-Location": header("Canonical address, where the request named a collection by an alias."),
};

/** Registers one operation, as `addMeteredRoute` does; refusals of the engine name the members of this route. */
export function addRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B = undefined,
>(
  router: Router,
  { members, ...spec }: ServiceRoute<P, Q, B>,
  handler: RouteHandler<AppEnv, z.infer<P>, z.infer<Q>, B>,
): void {
  const headers = spec.path.includes("{collectionId}") ? { headers: CONTENT_LOCATION } : {};
  addMeteredRoute<P, Q, B, AppEnv>(router, { ...spec, ...headers }, handler, {
    before(c) {
      if (members !== undefined) c.set("members", members);
    },
  });
}
