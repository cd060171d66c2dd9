import type { RouteConfig } from "@hono/zod-openapi";
import type { Units } from "@swath/accounts";
import type { z } from "zod";
import type { RouteAccess } from "../../access/route-access.ts";
import type { MemberNames } from "../../errors/refusals.ts";
import type { BodySpec } from "../../../../../packages/web/src/request/body.ts";
import type { AppContext } from "./context.ts";
import type { Method } from "../../../../../packages/web/src/request/paths.ts";

export type Fields = z.ZodType<Record<string, unknown>>;

/** The checked parts of a request. */
export interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** One operation of the service: what the OpenAPI document says and what the router checks come from here alone. */
export interface RouteSpec<P extends Fields, Q extends Fields, B> {
  readonly method: Method;
  /** OpenAPI path template, e.g. `/v1/tiles/{presetId}/{z}/{x}/{y}.{format}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may call the route. */
  readonly access: RouteAccess;
  /** Who may send a request, where that depends on its parameters; `access` is then that of the strictest. */
  readonly accessOf?: (c: AppContext) => RouteAccess;
  /**
   * What a request costs, admitted before the handler runs; nothing by default. `by-plan`: the handler plans first
   * and admits the cost through the context's `meter`.
   */
  readonly cost?: ((input: RouteInput<z.infer<P>, z.infer<Q>, B>) => Units) | "by-plan";
  readonly params?: P;
  readonly query?: Q;
  readonly body?: BodySpec<B>;
  readonly responses: RouteConfig["responses"];
  /** The answer has an ETag, and is 304 for who holds it already. */
  readonly etag?: true;
  /** Problem statuses beyond those that every route has. */
  readonly problems?: readonly number[];
  /** What members of the engine's request are called in this route; absent: refusals name no member. */
  readonly members?: MemberNames;
  /** Other forms of problems, by their media types: see `problemForm` of the context. */
  readonly problemForms?: Readonly<Record<string, z.ZodType>>;
}

export type RouteHandler<P, Q, B> = (c: AppContext, input: RouteInput<P, Q, B>) => Promise<Response> | Response;
