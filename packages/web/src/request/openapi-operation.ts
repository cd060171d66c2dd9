import type { RouteConfig } from "@hono/zod-openapi";
import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import type { z } from "zod";
import { JSON_TYPE } from "../../../../apps/api/src/documents/media-types.ts";
import type { Policies } from "../../../../apps/api/src/http/request/authenticate.ts";
import { type BodySpec, FORM_TYPE } from "./body.ts";
import type { Fields, RouteSpec } from "../../../../apps/api/src/http/request/route-spec.ts";

const PROBLEM_RESPONSES: Readonly<Record<number, string>> = {
  400: "A parameter or the body is malformed.",
  401: "The API key is missing or unknown.",
  403: "The credential is good, but not for this route.",
  404: "Nothing has this address or id.",
  409: "The account has as many keys as it may have.",
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

type Headers = Readonly<Record<string, HeaderDescription>>;

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
const UNITS: Headers = {
  "X-Units-Spent": header("Units that this answer costs; absent for callers without a credential."),
  "X-Units-Remaining": header("Units that can still be spent; absent where there is no limit."),
  RateLimit: header("What is left of each policy, and seconds until it begins anew (RFC 9651 list)."),
  "RateLimit-Policy": header("The limits that apply (RFC 9651 list)."),
};
const RETRY_AFTER = { "Retry-After": header("Seconds until the request can succeed.", "integer") };
const PROBLEM_HEADERS: Readonly<Record<number, Headers>> = {
  401: { "WWW-Authenticate": header("The scheme: a key in a header.") },
  403: { "WWW-Authenticate": header("The scope that the credential lacks.") },
  415: { Accept: header("The media type that is read.") },
  416: { "Content-Range": header("How long the file is.") },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

type Described = NonNullable<RouteConfig["responses"][string]>;

function problemResponses(
  statuses: readonly number[],
  forms: NonNullable<RouteSpec<Fields, Fields, unknown>["problemForms"]>,
  units: Headers,
): RouteConfig["responses"] {
  const others = Object.fromEntries(Object.entries(forms).map(([type, schema]) => [type, { schema }]));
  const entries = [...new Set(statuses)].sort().map((status) => [
    status,
    {
      description: PROBLEM_RESPONSES[status] ?? "A problem.",
      headers: { ...REQUEST_ID, ...PROBLEM_HEADERS[status], ...(status === 429 ? units : {}) },
      content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem }, ...others },
    },
  ]);
  return Object.fromEntries(entries);
}

/** The answers that are no problem, with the headers that they have in common. */
function goodResponses(
  spec: Pick<RouteSpec<Fields, Fields, unknown>, "responses" | "etag" | "path">,
  units: Headers,
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
    {
      ...response,
      headers: {
        ...headers,
        ...units,
        ...(response as Described & { headers?: object }).headers,
      },
    },
  ]);
  return Object.fromEntries(entries);
}

function bodyContent({ json, form }: BodySpec<unknown>): Record<string, { schema: z.ZodType }> {
  return {
    ...(json === undefined ? {} : { [JSON_TYPE]: { schema: json } }),
    ...(form === undefined ? {} : { [FORM_TYPE]: { schema: form } }),
  };
}

/** The OpenAPI entry of a route under the policies that say who may call it, and how much. */
export function openApiOperation<P extends Fields, Q extends Fields, B>(
  spec: RouteSpec<P, Q, B>,
  { access, admission }: Policies,
): RouteConfig {
  const units = spec.cost !== undefined && admission.receiptFor !== undefined ? UNITS : {};
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
    responses: { ...problemResponses(statuses, spec.problemForms ?? {}, units), ...goodResponses(spec, units) },
  };
}
