import { type ProblemKind, problemErrors } from "@swath/problem";

/**
 * The problems of requests that reach no handler, or ask for what no file has. A service puts them into its own table, with words of
 * its own where it likes; code, status and title stay.
 */
export const REQUEST_PROBLEMS = {
  "invalid-parameter": {
    status: 400,
    title: "Invalid parameter",
    description: "A path or query parameter is malformed, out of range, repeated or unknown.",
    remedy: "Each entry of `errors` names the parameter in `pointer` and says what was expected.",
  },
  "invalid-body": {
    status: 400,
    title: "Invalid request body",
    description: "The request body is not JSON, lacks a member, or has one that is malformed or unknown.",
    remedy: "Each entry of `errors` points into the body with a JSON Pointer and says what was expected.",
  },
  "origin-not-allowed": {
    status: 403,
    title: "Origin not allowed",
    description: "The request comes from a page of a web origin that may not use this address.",
    remedy: "Send the request from an allowed origin, or from outside a browser.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    description: "Nothing has this address.",
    remedy: "Check the address.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    description: "The address exists but does not take this HTTP method.",
    remedy: "Use a method that the `Allow` header lists.",
  },
  "body-too-large": {
    status: 413,
    title: "Request body too large",
    description: "The request body is over the size that the route accepts.",
    remedy: "Send at most `limits.maxBytes` bytes.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    description: "The request body has a Content-Type or a Content-Encoding that the route does not read.",
    remedy: "Send one that the header `Accept` or `Accept-Encoding` of the answer names.",
  },
  "range-not-satisfiable": {
    status: 416,
    title: "Range not satisfiable",
    description: "The `Range` header requests bytes beyond the end of the file.",
    remedy: "Ask within the size that `Content-Range` gives.",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A fault of a request that this package finds: a `ProblemError` of `@swath/problem` with one of these codes. */
export class RequestProblem extends problemErrors(REQUEST_PROBLEMS) {}
