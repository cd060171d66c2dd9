import { PROBLEM_MEDIA_TYPE, type Problem } from "@swath/problem";
import type { MiddlewareHandler } from "hono";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { ProblemError } from "../../errors/problems.ts";
import type { AppEnv } from "../../http/request/context.ts";
import { isUnserved } from "./unserved.ts";

/** Codes of the openEO API (its errors.json, and names like those where it has none) for problems that any route has. */
const CODES: Readonly<Record<string, string>> = {
  "invalid-key": "AuthenticationRequired",
  "insufficient-scope": "PermissionsInsufficient",
  "email-unverified": "PermissionsInsufficient",
  "key-suspended": "PermissionsInsufficient",
  "not-found": "NotFound",
  "unknown-collection": "CollectionNotFound",
  "method-not-allowed": "FeatureUnsupported",
  "unsupported-media-type": "ContentTypeInvalid",
  "body-too-large": "RequestTooLarge",
  "output-too-large": "ProcessGraphComplexity",
  "invalid-process-graph": "ProcessGraphInvalid",
  "unknown-band": "ProcessParameterInvalid",
  "harmonize-unavailable": "ProcessParameterInvalid",
  "pixel-too-large": "ProcessParameterInvalid",
  "budget-exceeded": "BudgetInvalid",
  "request-too-expensive": "PaymentRequired",
  "quota-exhausted": "PaymentRequired",
  "rate-limited": "InfrastructureBusy",
  "concurrency-limit": "InfrastructureBusy",
  "ip-rate-limited": "InfrastructureBusy",
  "upstream-unavailable": "InfrastructureBusy",
  maintenance: "InfrastructureMaintenance",
  "render-timeout": "RequestTimeout",
};
const ROOT = "/v1/openeo";
/** Path of collections, of which one may be unknown. */
const COLLECTIONS = `${ROOT}/collections/`;

function codeOf({ code = "", status }: Problem, path: string): string {
  if (status === 501) return "FeatureUnsupported";
  if (code === "not-found" && path.startsWith(COLLECTIONS)) return "CollectionNotFound";
  return CODES[code] ?? (status < 500 ? "RequestInvalid" : "Internal");
}

/**
 * Problems in the form that clients of openEO expect: with `message`, `id` and `openeoCode`, and as `application/json` where
 * `Accept` names that and not `application/problem+json`: the JavaScript client reads no other.
 */
export const problemsForOpenEo: MiddlewareHandler<AppEnv> = async (c, next) => {
  const accept = c.req.header("Accept") ?? "";
  const isPlain = accept.includes(JSON_TYPE) && !accept.includes(PROBLEM_MEDIA_TYPE);
  c.set("problemForm", (problem: Problem) => ({
    body: {
      openeoCode: codeOf(problem, c.req.path),
      ...problem,
      message: problem.detail,
      id: problem.requestId,
    },
    mediaType: isPlain ? JSON_TYPE : PROBLEM_MEDIA_TYPE,
  }));
  const { method, path } = c.req;
  if (isUnserved(method, path.slice(ROOT.length))) {
    throw new ProblemError("not-found", `${method} ${path} is a part of the openEO API that is not served here.`, {
      status: 501,
    });
  }
  await next();
};
