import type { RouteConfig } from "@hono/zod-openapi";
import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import type { z } from "zod";
import { FORM_TYPE, JSON_TYPE } from "../media-types.ts";
import type { BodySpec } from "./body.ts";
import type { Fields, HeaderDescriptions, RouteSpec, StatusDescriptions } from "./route-spec.ts";

/** A header in the OpenAPI document. */
export const header = (description: string, type: "string" | "integer" = "string"): HeaderDescriptions[string] => ({
  description,
  schema: { type },
});
const REQUEST_ID = { "X-Request-Id": header("Id of the request; an inbound one is kept.") };
const ETAG = {
  ETag: header("Names this version of the answer."),
  "Cache-Control": header("How long the answer may be kept, and by whom."),
};
const RETRY_AFTER = { "Retry-After": header("Seconds until the request can succeed.", "integer") };

/** Descriptions of problems, where a route has no other. */
const STATUSES: StatusDescriptions = {
  400: { description: "A parameter or the body is malformed." },
  401: {
    description: "The credential is missing or unknown.",
    headers: { "WWW-Authenticate": header("The schemes.") },
  },
  403: {
    description: "The credential is good, but not for this route.",
    headers: { "WWW-Authenticate": header("The scope that the credential lacks.") },
  },
  404: { description: "Nothing has this address or id." },
  413: { description: "The body or the output is over a size limit." },
  415: {
    description: "The body has a media type that is not read.",
    headers: { Accept: header("The media type that is read.") },
  },
  416: {
    description: "The range lies outside the file.",
    headers: { "Content-Range": header("How long the file is.") },
  },
  422: { description: "The request is well-formed but cannot be carried out." },
  429: { description: "Too many requests.", headers: RETRY_AFTER },
  500: { description: "The service failed unexpectedly." },
  503: { description: "The service cannot answer now.", headers: RETRY_AFTER },
  504: { description: "The answer was not ready within the time limit." },
};

type AnySpec = RouteSpec<Fields, Fields, unknown>;

function problemResponses(
  numbers: readonly number[],
  { problemForms = {}, statuses = {} }: Pick<AnySpec, "problemForms" | "statuses">,
): RouteConfig["responses"] {
  const others = Object.fromEntries(Object.entries(problemForms).map(([type, schema]) => [type, { schema }]));
  const entries = [...new Set(numbers)].sort().map((status) => {
    const { description = "A problem.", headers } = statuses[status] ?? STATUSES[status] ?? {};
    const content = { [PROBLEM_MEDIA_TYPE]: { schema: Problem }, ...others };
    return [status, { description, headers: { ...REQUEST_ID, ...headers }, content }];
  });
  return Object.fromEntries(entries);
}

/** The answers that are no problem, with the headers that they have in common. */
function goodResponses(spec: Pick<AnySpec, "responses" | "etag" | "headers">): RouteConfig["responses"] {
  const headers = { ...REQUEST_ID, ...(spec.etag === true ? ETAG : {}), ...spec.headers };
  const all: RouteConfig["responses"] = {
    ...spec.responses,
    ...(spec.etag === true ? { 304: { description: "The client holds this answer already." } } : {}),
  };
  const entries = Object.entries(all).map(([status, response]) => [
    status,
    { ...response, headers: { ...headers, ...(response as { readonly headers?: object }).headers } },
  ]);
  return Object.fromEntries(entries);
}

function bodyContent({ json, form }: BodySpec<unknown>): Record<string, { schema: z.ZodType }> {
  return {
    ...(json === undefined ? {} : { [JSON_TYPE]: { schema: json } }),
    ...(form === undefined ? {} : { [FORM_TYPE]: { schema: form } }),
  };
}

/** The OpenAPI entry of a route. */
export function openApiOperation<P extends Fields, Q extends Fields, B>(spec: RouteSpec<P, Q, B>): RouteConfig {
  const statuses = [
    400,
    500,
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
    ...(spec.security === undefined ? {} : { security: spec.security }),
    request: {
      ...(spec.params === undefined ? {} : { params: spec.params as never }),
      ...(spec.query === undefined ? {} : { query: spec.query as never }),
      ...(spec.body === undefined ? {} : { body: { required: true, content: bodyContent(spec.body) } }),
    },
    responses: { ...problemResponses(statuses, spec), ...goodResponses(spec) },
  };
}
