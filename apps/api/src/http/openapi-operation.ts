import type { RouteConfig } from "@hono/zod-openapi";
import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import type { z } from "zod";
import type { Access } from "../access/access.ts";
import { JSON_TYPE } from "../documents/media-types.ts";
import { type BodySpec, FORM_TYPE } from "./body.ts";
import type { Fields, RouteSpec } from "./route-spec.ts";

const PROBLEM_RESPONSES: Readonly<Record<number, string>> = {
  400: "A parameter or the body is malformed.",
  401: "The API key is missing or unknown.",
  403: "The credential is good, but not for this route.",
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
  403: { "WWW-Authenticate": header("The scope that the credential lacks.") },
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
  spec: Pick<RouteSpec<Fields, Fields, unknown>, "responses" | "etag" | "path">,
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

function bodyContent({ json, form }: BodySpec<unknown>): Record<string, { schema: z.ZodType }> {
  return {
    ...(json === undefined ? {} : { [JSON_TYPE]: { schema: json } }),
    ...(form === undefined ? {} : { [FORM_TYPE]: { schema: form } }),
  };
}

/** The OpenAPI entry of a route under the policy that says who may call it. */
export function openApiOperation<P extends Fields, Q extends Fields, B>(
  spec: RouteSpec<P, Q, B>,
  access: Access,
): RouteConfig {
  const statuses = [
    400,
    500,
    503,
    504,
    ...access.refusals(spec.access),
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
    security: access.security(spec.access),
    request: {
      ...(spec.params === undefined ? {} : { params: spec.params as never }),
      ...(spec.query === undefined ? {} : { query: spec.query as never }),
      ...(spec.body === undefined ? {} : { body: { required: true, content: bodyContent(spec.body) } }),
    },
    responses: { ...problemResponses(statuses), ...goodResponses(spec) },
  };
}
