import type { RouteConfig } from "@hono/zod-openapi";
import type { z } from "zod";
import type { BodySpec } from "./body.ts";
import type { Method } from "./paths.ts";

/** A schema of an object of parameters. */
export type Fields = z.ZodType<Record<string, unknown>>;

/** The checked parts of a request. */
export interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** Response headers in the OpenAPI document, by name. */
export type HeaderDescriptions = Readonly<
  Record<string, { readonly description: string; readonly schema: { readonly type: "string" | "integer" } }>
>;

/** Descriptions of answers that are problems in the OpenAPI document, by status. */
export type StatusDescriptions = Readonly<
  Record<number, { readonly description: string; readonly headers?: HeaderDescriptions }>
>;

/** One operation of a service: what the OpenAPI document says and what the router checks come from here alone. */
export interface RouteSpec<P extends Fields, Q extends Fields, B> {
  readonly method: Method;
  /** OpenAPI path template, e.g. `/v1/tiles/{presetId}/{z}/{x}/{y}.{format}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The values of the template's names; those that it does not take are 400. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: BodySpec<B>;
  readonly responses: RouteConfig["responses"];
  /** The answer has an ETag, and is 304 for who holds it already. */
  readonly etag?: true;
  /** Problem statuses beyond those that every route has: 400, 500, with parameters 404, with a body 413 and 415. */
  readonly problems?: readonly number[];
  /** Other forms of problems, by their media types: see `problemForm` of the context. */
  readonly problemForms?: Readonly<Record<string, z.ZodType>>;
  /** Security requirements: alternatives, `{}` for callers without a key or token. */
  readonly security?: Record<string, string[]>[];
  /** Headers of every answer that is no problem. */
  readonly headers?: HeaderDescriptions;
  /** Descriptions of problems, where the service says more of a status than this package. */
  readonly statuses?: StatusDescriptions;
}
