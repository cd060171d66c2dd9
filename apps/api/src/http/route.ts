import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { PROBLEM_MEDIA_TYPE, Problem, ProblemError, pointersFromZod } from "@swath/problem";
import { z } from "zod";
import { readJsonBody } from "./body.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { methodsOf, type PathTable } from "./paths.ts";

type Fields = z.ZodType<Record<string, unknown>>;

/** One operation of the service: what the OpenAPI document says and what the router checks come from here alone. */
export interface RouteSpec<P extends Fields, Q extends Fields, B extends z.ZodType> {
  readonly method: "get" | "post";
  /** OpenAPI path template, e.g. `/v1/tiles/{presetId}/{z}/{x}/{y}.{format}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether the route needs an API key. */
  readonly key: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: { readonly schema: B; readonly maxBytes: number };
  readonly responses: RouteConfig["responses"];
  /** The answer has an ETag, and is 304 for who holds it already. */
  readonly etag?: true;
  /** Problem statuses beyond those that every route has. */
  readonly problems?: readonly number[];
}

export interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export type RouteHandler<P, Q, B> = (c: AppContext, input: RouteInput<P, Q, B>) => Promise<Response> | Response;

export interface Router {
  readonly app: OpenAPIHono<AppEnv>;
  readonly paths: PathTable;
  /** Puts the caller's identity on the context, or throws `invalid-key`, `rate-limited` or `quota-exhausted`. */
  readonly authenticate: (c: AppContext) => Promise<void>;
}

const PROBLEM_RESPONSES: Readonly<Record<number, string>> = {
  400: "A parameter or the body is malformed.",
  401: "The API key is missing or unknown.",
  404: "Nothing has this address or id.",
  413: "The body or the output is over a size limit.",
  415: "The body has a media type that is not read.",
  416: "The range lies outside the file.",
  422: "The request is well-formed but cannot be carried out.",
  429: "Too many requests.",
  500: "The service failed unexpectedly.",
  503: "The upstream catalog or the renderer did not answer.",
  504: "The answer was not ready within the time limit.",
};

interface HeaderDescription {
  readonly description: string;
  readonly schema: { readonly type: "string" | "integer" };
}

const header = (description: string, type: "string" | "integer" = "string"): HeaderDescription => ({
  description,
  schema: { type },
});
const REQUEST_ID = { "X-Request-Id": header("Id of the request; an inbound one is kept.") };
const ETAG = {
  ETag: header("Names this version of the answer."),
  "Cache-Control": header("How long the answer may be kept, and by whom."),
};
const CONTENT_LOCATION = {
  "Content-Location": header("Canonical address, where the request named a collection by an alias."),
};
const RETRY_AFTER = { "Retry-After": header("Seconds until the request can succeed.", "integer") };
const PROBLEM_HEADERS: Readonly<Record<number, Readonly<Record<string, HeaderDescription>>>> = {
  401: { "WWW-Authenticate": header("The scheme: a key in a header.") },
  415: { Accept: header("The media type that is read.") },
  416: { "Content-Range": header("How long the file is.") },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

type Described = NonNullable<RouteConfig["responses"][string]>;

function problemResponses(statuses: readonly number[]): RouteConfig["responses"] {
  const entries = [...new Set(statuses)].sort().map((status) => [
    status,
    {
      description: PROBLEM_RESPONSES[status] ?? "A problem.",
      headers: { ...REQUEST_ID, ...PROBLEM_HEADERS[status] },
      content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } },
    },
  ]);
  return Object.fromEntries(entries);
}

/** The answers that are no problem, with the headers that they have in common. */
function goodResponses(
  spec: Pick<RouteSpec<Fields, Fields, z.ZodType>, "responses" | "etag" | "path">,
): RouteConfig["responses"] {
  const headers = {
    ...REQUEST_ID,
    ...(spec.etag === true ? ETAG : {}),
    ...(spec.path.includes("{collectionId}") ? CONTENT_LOCATION : {}),
  };
  const all: RouteConfig["responses"] = {
    ...spec.responses,
    ...(spec.etag === true ? { 304: { description: "The client holds this answer already." } } : {}),
  };
  const entries = Object.entries(all).map(([status, response]) => [
    status,
    { ...response, headers: { ...headers, ...(response as Described & { headers?: object }).headers } },
  ]);
  return Object.fromEntries(entries);
}

function specification<P extends Fields, Q extends Fields, B extends z.ZodType>(spec: RouteSpec<P, Q, B>): RouteConfig {
  const statuses = [
    400,
    500,
    503,
    504,
    ...(spec.key ? [401, 429] : []),
    ...(spec.params === undefined ? [] : [404]),
    ...(spec.body === undefined ? [] : [413, 415]),
    ...(spec.problems ?? []),
  ];
  return {
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    security: spec.key ? [{ apiKey: [] }] : [],
    request: {
      ...(spec.params === undefined ? {} : { params: spec.params as never }),
      ...(spec.query === undefined ? {} : { query: spec.query as never }),
      ...(spec.body === undefined
        ? {}
        : { body: { required: true, content: { "application/json": { schema: spec.body.schema } } } }),
    },
    responses: { ...problemResponses(statuses), ...goodResponses(spec) },
  };
}

/** Query parameters as text; a parameter sent twice stays an array, which no schema accepts. */
function queryOf(c: AppContext): Record<string, string | string[]> {
  const found = c.req.queries();
  return Object.fromEntries(
    Object.entries(found).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ) as Record<string, string | string[]>;
}

function check<T>(schema: z.ZodType<T> | undefined, value: unknown, where: "query" | "body"): T {
  if (schema === undefined) return value as T;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = pointersFromZod(parsed.error.issues, { in: where });
  const code = where === "body" ? "invalid-body" : "invalid-parameter";
  const detail = errors
    .map((error) => (error.pointer === "" ? error.detail : `${error.pointer}: ${error.detail}`))
    .join(" ");
  throw new ProblemError(code, detail, { errors });
}

const repeated = z.strictObject({});

/**
 * Registers one operation: its OpenAPI entry, and a handler that runs after the key, the parameters and the body
 * have been checked, in this order.
 */
export function addRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B extends z.ZodType = z.ZodUndefined,
>(router: Router, spec: RouteSpec<P, Q, B>, handler: RouteHandler<z.infer<P>, z.infer<Q>, z.infer<B>>): void {
  router.app.openAPIRegistry.registerPath(specification(spec));
  const path = router.paths.add(spec.path, methodsOf(spec.method));
  router.app.on(spec.method.toUpperCase(), path.pattern, async (c) => {
    if (spec.key) await router.authenticate(c);
    const params = check(spec.params, path.read(c.req.path), "query") as z.infer<P>;
    const query = check(spec.query ?? repeated, queryOf(c), "query") as z.infer<Q>;
    const body =
      spec.body === undefined
        ? (undefined as z.infer<B>)
        : check(spec.body.schema, await readJsonBody(c.req.raw, spec.body.maxBytes), "body");
    return handler(c, { params, query, body: body as z.infer<B> });
  });
}
