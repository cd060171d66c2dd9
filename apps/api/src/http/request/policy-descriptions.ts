import { type Fields, type HeaderDescriptions, header, type RouteSpec, type StatusDescriptions } from "@swath/web";
import type { Policies } from "./authenticate.ts";
import type { ServiceRoute } from "./route.ts";

const CONTENT_LOCATION: HeaderDescriptions = {
  "Content-Location": header("Canonical address, where the request named a collection by an alias."),
};
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
  503: { description: "The upstream catalog or the renderer did not answer.", headers: RETRY_AFTER },
};
const TOO_MANY = "Too many requests.";

/** Returns the parts of an OpenAPI operation that follow from the policies: security, statuses and headers of units. */
export function policyDescriptions<P extends Fields, Q extends Fields, B>(
  spec: ServiceRoute<P, Q, B>,
  { access, admission }: Policies,
): Pick<RouteSpec<P, Q, B>, "security" | "problems" | "headers" | "statuses"> {
  const units = spec.cost !== undefined && admission.receiptFor !== undefined ? UNITS : {};
  return {
    security: access.security(spec.access),
    problems: [503, 504, ...access.refusals(spec.access), ...(spec.problems ?? [])],
    headers: { ...(spec.path.includes("{collectionId}") ? CONTENT_LOCATION : {}), ...units },
    statuses: { ...STATUSES, 429: { description: TOO_MANY, headers: { ...RETRY_AFTER, ...units } } },
  };
}
