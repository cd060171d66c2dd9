import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import type { WebContext, WebEnv } from "../context.ts";
import { RequestProblem } from "../problems.ts";
import { type BodySpec, readBody } from "./body.ts";
import { check, detailOf, type Suggest } from "./check.ts";
import { openApiOperation } from "./openapi-operation.ts";
import { methodsOf, type PathTable } from "./paths.ts";
import type { Fields, RouteInput, RouteSpec } from "./route-spec.ts";

/** The app and the table of paths in which routes are registered. */
export interface Router<E extends WebEnv = WebEnv, F = undefined> {
  readonly app: OpenAPIHono<E>;
  readonly paths: PathTable<F>;
  /** Ends the message about an unknown parameter or member; by default with nothing. */
  readonly suggest?: Suggest;
}

/** Answers a request whose parts have been checked. */
export type RouteHandler<E extends WebEnv, P, Q, B> = (
  c: Context<E>,
  input: RouteInput<P, Q, B>,
) => Promise<Response> | Response;

/** Additions of a service to a route that are not in its specification. */
export interface RouteOptions<E extends WebEnv, F> {
  /** Facts that the table of paths keeps with the route's path. */
  readonly facts?: F;
  /** Runs before anything of the request is read; an error that it throws is the answer. */
  readonly before?: (c: Context<E>) => Promise<void> | void;
}

/**
 * Query parameters as text.
 *
 * @throws {RequestProblem} `invalid-parameter` for each that was sent more than once.
 */
function queryOf(c: Context): Record<string, string> {
  const found = Object.entries(c.req.queries());
  const repeated = found.filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    const errors = repeated.map(([pointer, values]) => ({
      pointer,
      detail: `Sent ${values.length} times: send it once, comma-separated where it takes several values.`,
    }));
    throw new RequestProblem("invalid-parameter", detailOf(errors), { errors });
  }
  return Object.fromEntries(found.map(([name, [value = ""]]) => [name, value]));
}

/** Returns the path of a request as messages show it. */
function shownPath<E extends WebEnv>(context: Context<E>): string {
  const c = context as unknown as WebContext;
  return c.get("shownPath")?.(c.req.path) ?? c.req.path;
}

const noQuery = z.strictObject({});

async function checkedBody<B>(spec: BodySpec<B> | undefined, request: Request, suggest?: Suggest): Promise<B> {
  if (spec === undefined) return undefined as B;
  try {
    const { value, schema } = await readBody(request, spec);
    return check(schema, value, "body", suggest);
  } catch (error) {
    throw error instanceof RequestProblem && spec.fault !== undefined ? spec.fault(error) : error;
  }
}

/**
 * Registers one operation: its OpenAPI entry, and a handler that runs after `before`, and after the parameters and the body have been
 * checked, in this order.
 */
export function addRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B = undefined,
  E extends WebEnv = WebEnv,
  F = undefined,
>(
  { app, paths, suggest }: Router<E, F>,
  spec: RouteSpec<P, Q, B>,
  handler: RouteHandler<E, z.infer<P>, z.infer<Q>, B>,
  { facts, before }: RouteOptions<E, F> = {},
): void {
  app.openAPIRegistry.registerPath(openApiOperation(spec));
  const path = paths.add(spec.path, methodsOf(spec.method), facts);
  app.on(spec.method.toUpperCase(), path.pattern, async (c) => {
    await before?.(c);
    return handler(c, {
      params: check(spec.params, path.read(c.req.path, shownPath(c)), "query", suggest) as z.infer<P>,
      query: check(spec.query ?? noQuery, queryOf(c), "query", suggest) as z.infer<Q>,
      body: await checkedBody(spec.body, c.req.raw, suggest),
    });
  });
}
