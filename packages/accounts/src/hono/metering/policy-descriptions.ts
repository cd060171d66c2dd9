import { type Fields, type HeaderDescriptions, header, type RouteSpec, type StatusDescriptions } from "@swath/web";
import type { MeteredRoute, MeteredRouter } from "./route.ts";

const UNITS: HeaderDescriptions = {
  "X-Units-Spent": header("Units that this answer costs; absent for callers without a credential."),
  "X-Units-Remaining": header("Units that can still be spent; absent where there is no limit."),
  RateLimit: header("What is left of each policy, and seconds until it begins anew (RFC 9651 list)."),
  "RateLimit-Policy": header("The limits that apply (RFC 9651 list)."),
};
const RETRY_AFTER: HeaderDescriptions = { "Retry-After": header("Seconds until the request can succeed.", "integer") };

const STATUSES: StatusDescriptions = {
  401: {
    description: "The API key is missing or unknown.",
    headers: { "WWW-Authenticate": header("The scheme: a key in a header.") },
  },
  409: { description: "The account has as many keys as it may have." },
};
const TOO_MANY = "Too many requests.";

/** Returns the parts of an OpenAPI operation that follow from the policies: security, statuses and headers of units. */
export function policyDescriptions<P extends Fields, Q extends Fields, B>(
  spec: Pick<MeteredRoute<P, Q, B>, "access" | "cost" | "problems" | "headers" | "statuses">,
  { access, admission, everyRoute }: Pick<MeteredRouter, "access" | "admission" | "everyRoute">,
): Pick<RouteSpec<P, Q, B>, "security" | "problems" | "headers" | "statuses"> {
  const units = spec.cost !== undefined && admission.receiptFor !== undefined ? UNITS : {};
  const tooMany = { description: TOO_MANY, headers: { ...RETRY_AFTER, ...units } };
  return {
    security: access.security(spec.access),
    problems: [...(everyRoute?.problems ?? []), ...access.refusals(spec.access), ...(spec.problems ?? [])],
    headers: { ...spec.headers, ...units },
    statuses: { ...STATUSES, 429: tooMany, ...everyRoute?.statuses, ...spec.statuses },
  };
}
