import { PROBLEM_MEDIA_TYPE, type Problem } from "@swath/problem";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../../http/context.ts";
import { JSON_TYPE } from "../../http/documents.ts";

/** Codes of the openEO API for problems that any route has. */
const CODES: Readonly<Record<string, string>> = {
  "invalid-key": "AuthenticationRequired",
  "insufficient-scope": "PermissionsInsufficient",
  "not-found": "NotFound",
  "method-not-allowed": "FeatureUnsupported",
  "unsupported-media-type": "ContentTypeInvalid",
  "body-too-large": "RequestTooLarge",
  "output-too-large": "ProcessGraphComplexity",
  "invalid-process-graph": "ProcessGraphInvalid",
  "budget-exceeded": "PaymentRequired",
  "request-too-expensive": "PaymentRequired",
  "render-timeout": "Timeout",
  internal: "Internal",
};

/**
 * Problems in the form that clients of openEO expect: with `message`, `id` and `openeoCode`, and as `application/json` where
 * `Accept` names that and not `application/problem+json`: the JavaScript client reads no other.
 */
export const problemsForOpenEo: MiddlewareHandler<AppEnv> = async (c, next) => {
  const accept = c.req.header("Accept") ?? "";
  const isPlain = accept.includes(JSON_TYPE) && !accept.includes(PROBLEM_MEDIA_TYPE);
  c.set("problemForm", (problem: Problem) => ({
    body: {
      openeoCode: CODES[problem.code ?? ""] ?? "Internal",
      ...problem,
      message: problem.detail,
      id: problem.requestId,
    },
    mediaType: isPlain ? JSON_TYPE : PROBLEM_MEDIA_TYPE,
  }));
  await next();
};
