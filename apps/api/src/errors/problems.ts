import { ACCOUNT_PROBLEMS } from "@swath/accounts/hono";
import { MCP_PROBLEMS } from "@swath/mcp";
import { ProblemError as AnyProblem, type ProblemKind, problemErrors } from "@swath/problem";
import { REQUEST_PROBLEMS } from "@swath/web";

/** A problem of this service. */
interface ServiceProblem extends ProblemKind {
  /** True where only the full contract answers so; lean v1 never does. */
  readonly fullOnly?: true;
}

/** The same problem, which lean v1 never answers. */
const fullOnly = (kind: ProblemKind): ServiceProblem => ({ ...kind, fullOnly: true });

/**
 * Every problem code of the service. The code is the last segment of the problem's `type` URL,
 * so a code may be added but never renamed or removed within /v1.
 */
export const PROBLEMS = {
  "invalid-parameter": REQUEST_PROBLEMS["invalid-parameter"],
  "invalid-body": REQUEST_PROBLEMS["invalid-body"],
  "invalid-filter": {
    status: 400,
    title: "Invalid filter",
    description: "The CQL2 filter does not parse, names an unknown property, or is not served here.",
    remedy: "Use the `query` parameter, or correct the filter at the position that `detail` gives.",
  },
  "zoom-out-of-range": {
    status: 400,
    title: "Zoom out of range",
    description: "The tile's zoom is outside the range that the preset serves.",
    remedy: "Ask within `limits.minzoom` and `limits.maxzoom`; map libraries can stretch tiles beyond them.",
  },
  "invalid-process-graph": {
    status: 400,
    title: "Invalid process graph",
    description: "The openEO process graph is malformed, for example a node refers to one that does not exist.",
    remedy: "Correct the node that `detail` names.",
    fullOnly: true,
  },
  "invalid-token-request": fullOnly(ACCOUNT_PROBLEMS["invalid-token-request"]),
  "invalid-mcp-message": fullOnly(MCP_PROBLEMS["invalid-mcp-message"]),
  "invalid-key": ACCOUNT_PROBLEMS["invalid-key"],
  "invalid-client": fullOnly(ACCOUNT_PROBLEMS["invalid-client"]),
  "email-unverified": fullOnly(ACCOUNT_PROBLEMS["email-unverified"]),
  "insufficient-scope": fullOnly(ACCOUNT_PROBLEMS["insufficient-scope"]),
  "key-suspended": fullOnly(ACCOUNT_PROBLEMS["key-suspended"]),
  "origin-not-allowed": fullOnly(ACCOUNT_PROBLEMS["origin-not-allowed"]),
  "not-found": {
    status: 404,
    title: "Not found",
    description: "Nothing has this address or id, it has expired, or no scene matches.",
    remedy: "Check the id; `detail` says what was looked for. The landing page at `/v1` links what exists.",
  },
  "unknown-collection": {
    status: 404,
    title: "Unknown collection",
    description: "A collection named inside the request is neither a live collection nor an alias of one.",
    remedy: "Take an id or alias from `/v1/collections`.",
  },
  "mcp-session-expired": fullOnly({
    ...MCP_PROBLEMS["mcp-session-expired"],
    description: "The MCP session is unknown or was idle for more than 30 minutes.",
  }),
  "method-not-allowed": REQUEST_PROBLEMS["method-not-allowed"],
  "key-limit": fullOnly(ACCOUNT_PROBLEMS["key-limit"]),
  "output-too-large": {
    status: 413,
    title: "Output too large",
    description: "The requested output exceeds a size limit. Nothing was read.",
    remedy:
      "Request fewer pixels or bands, or send a process request as a background job, which takes more (`POST /v1/process/jobs`, the same body); `limits` holds the limits and the requested values.",
  },
  "body-too-large": {
    status: 413,
    title: "Request body too large",
    description: "The request body is over the size that the route accepts.",
    remedy: "Send at most `limits.maxBytes` bytes, for example with a simpler geometry.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    description: "The request body has a Content-Type that the route does not read.",
    remedy: "Send JSON with `Content-Type: application/json`.",
  },
  "range-not-satisfiable": REQUEST_PROBLEMS["range-not-satisfiable"],
  "unknown-band": {
    status: 422,
    title: "Unknown band",
    description: "A band does not exist in the collection, or is absent from a scene that was to be read.",
    remedy: "Take native names, common names or aliases from the collection's `bands`.",
  },
  "harmonize-unavailable": {
    status: 422,
    title: "Harmonization level unavailable",
    description: "The collection does not offer the harmonization level.",
    remedy: "Take a level from the collection's `svc:harmonize_levels`.",
  },
  "units-unavailable": {
    status: 422,
    title: "Units unavailable",
    description: "A band cannot be given in the requested units, for example a class band as reflectance.",
    remedy: "Request `DN`, or omit that band.",
  },
  "too-many-scenes": {
    status: 422,
    title: "Too many scenes",
    description: "Covering the area needs more scenes than one mosaic may have.",
    remedy: "Request a smaller area or name the scenes; `limits` holds the cap and the number needed.",
  },
  "area-too-large": {
    status: 422,
    title: "Area too large",
    description: "The polygon is larger than the route allows.",
    remedy: "Ask for at most `limits.maxAreaKm2` square kilometres.",
    fullOnly: true,
  },
  "pixel-too-large": {
    status: 422,
    title: "Pixel too large",
    description:
      "One pixel of the requested size would be larger than the area, as where metres are given for degrees.",
    remedy: "Give the pixel size in the unit that `detail` names, or name a CRS in metres for the output or the area.",
  },
  "request-too-expensive": fullOnly(ACCOUNT_PROBLEMS["request-too-expensive"]),
  "budget-exceeded": {
    status: 422,
    title: "Budget exceeded",
    description: "The request would cost more units than the budget it came with.",
    remedy: "Raise `budget` or request less; `unitsEstimated` is what it would have cost.",
    fullOnly: true,
  },
  "rate-limited": ACCOUNT_PROBLEMS["rate-limited"],
  "quota-exhausted": ACCOUNT_PROBLEMS["quota-exhausted"],
  "concurrency-limit": {
    status: 429,
    title: "Too much at once",
    description: "The queue of background jobs is full, or too many requests of one account run at once.",
    remedy: "Wait `retryAfter` seconds, or until an earlier request has ended.",
  },
  "ip-rate-limited": fullOnly(ACCOUNT_PROBLEMS["ip-rate-limited"]),
  internal: {
    status: 500,
    title: "Internal error",
    description: "The service failed in a way it did not foresee. No units are charged.",
    remedy: "Try again; if it stays, report the `requestId`.",
  },
  "upstream-unavailable": {
    status: 503,
    title: "Upstream unavailable",
    description: "The scene catalog or archive did not answer, or the monthly spending stop is on.",
    remedy: "Try again after `retryAfter` seconds where given; otherwise later.",
  },
  maintenance: ACCOUNT_PROBLEMS.maintenance,
  "render-timeout": {
    status: 504,
    title: "Rendering took too long",
    description: "The image was not ready before the time limit.",
    remedy: "Request a smaller area or fewer scenes, or send it as a background job.",
  },
} as const satisfies Readonly<Record<string, ServiceProblem> & Record<keyof typeof REQUEST_PROBLEMS, ServiceProblem>>;

/** A machine code of the table; equals the last path segment of the problem's `type`. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The table's entry for a code; `undefined` where there is no such code. */
export function findProblem(code: string): ServiceProblem | undefined {
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode] : undefined;
}

/** A failure that is answered with a problem document of one of these codes. */
export class ProblemError extends problemErrors(PROBLEMS) {}

/** Whether an error is a problem of the service: thrown by it, or by a package whose codes are in the table too. */
export function isProblem(error: unknown): error is ProblemError {
  return error instanceof AnyProblem;
}
