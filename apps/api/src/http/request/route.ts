import { addMeteredRoute, MAP, MAP_PATH, type MeteredRoute, type MeteredRouter } from "@swath/accounts/hono";
import { type Fields, type HeaderDescriptions, header, type RouteHandler } from "@swath/web";
import { z } from "zod";
import type { MemberNames } from "../../errors/refusals.ts";
import type { AppContext, AppEnv } from "./context.ts";

/** The app, its paths and its policies. */
export type Router = MeteredRouter<AppEnv>;

/** One operation of the service, with its callers and its cost. */
export interface ServiceRoute<P extends Fields, Q extends Fields, B>
  extends Omit<MeteredRoute<P, Q, B, AppEnv>, "headers" | "statuses"> {
  /** Names of the members of the engine's request in this route; absent: refusals name no member. */
  readonly members?: MemberNames;
  /** Whether the route is served below the address of a map token too, where there are such. */
  readonly byMap?: true;
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
const MAP_TOKEN = { mapToken: z.string().meta({ description: "Map token, from `POST /v1/maps`." }) };
const CONTENT_LOCATION: HeaderDescriptions = {
  "Content-Location": header("Canonical address, where the request named a collection by an alias."),
};

/**
 * Registers one operation, as `addMeteredRoute` does; refusals of the engine name the members of this route. A route `byMap` is
 * registered a second time for map tokens.
 */
export function addRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B = undefined,
>(
  router: Router,
  { members, byMap, ...spec }: ServiceRoute<P, Q, B>,
  handler: RouteHandler<AppEnv, z.infer<P>, z.infer<Q>, B>,
): void {
  const headers = spec.path.includes("{collectionId}") ? { headers: CONTENT_LOCATION } : {};
  const before = (c: AppContext): void => {
    if (members !== undefined) c.set("members", members);
  };
  addMeteredRoute<P, Q, B, AppEnv>(router, { ...spec, ...headers }, handler, { before });
  if (byMap === undefined || !router.access.reads("map")) return;
  const { accessOf: _, params, path, operationId, summary, ...same } = spec;
  const ofMap = {
    ...same,
    ...headers,
    path: `${MAP_PATH}/{mapToken}${path.replace(/^\/v1/, "")}`,
    operationId: `${operationId}OfMap`,
    summary: `${summary}, by a map token`,
    tag: "Maps",
    access: MAP,
    params: (params instanceof z.ZodObject ? params.extend(MAP_TOKEN) : z.object(MAP_TOKEN)) as unknown as P,
  };
  addMeteredRoute<P, Q, B, AppEnv>(router, ofMap, handler, { before });
}
