import { type ProblemKind, problemErrors } from "@swath/problem";

/**
 * The problems of callers: who they are, and how much they may ask for. A service puts them into its own table beside those of
 * `@swath/web`, with words of its own where it likes; code, status and title stay.
 */
export const ACCOUNT_PROBLEMS = {
  "invalid-token-request": {
    status: 400,
    title: "Invalid token request",
    description: "The request for an OAuth token is malformed or requests a grant that is not served.",
    remedy: "Send the client-credentials grant form-encoded; the member `error` holds the OAuth reason.",
  },
  "invalid-key": {
    status: 401,
    title: "Invalid API key",
    description: "The route needs an API key, and none was sent or the one sent is unknown or disabled.",
    remedy: "Send a valid key in the `X-API-Key` header. A key in the address is not read.",
  },
  "invalid-client": {
    status: 401,
    title: "Invalid client",
    description: "The OAuth client is unknown or its secret does not fit.",
    remedy: "Use the client id given with the key, and the key itself as the secret.",
  },
  "email-unverified": {
    status: 403,
    title: "E-mail address not verified",
    description: "The account's e-mail address has not been verified yet.",
    remedy: "Open the link in the verification message, then try again.",
  },
  "insufficient-scope": {
    status: 403,
    title: "Insufficient scope",
    description: "The credential is valid, but its scopes do not cover this route.",
    remedy: "Use a key or token with the scope that `WWW-Authenticate` names.",
  },
  "key-suspended": {
    status: 403,
    title: "Key suspended",
    description: "The key was stopped by its owner or because of misuse.",
    remedy: "Use another key, or ask the operator of the service.",
  },
  "origin-not-allowed": {
    status: 403,
    title: "Origin not allowed",
    description: "The request comes from a web origin that may not use this route or this token.",
    remedy: "Send the request from an allowed origin, or from outside a browser.",
  },
  "key-limit": {
    status: 409,
    title: "Key limit reached",
    description: "The account already has as many active keys as its tier allows.",
    remedy: "Revoke a key first; `limits` holds both numbers.",
  },
  "key-limit-reached": {
    status: 409,
    title: "Map limit reached",
    description: "There are as many active map tokens as an account may have.",
    remedy: "End a map first; `limits` holds both numbers.",
  },
  "request-too-expensive": {
    status: 422,
    title: "Request too expensive",
    description: "The request would cost more units than the tier allows for one request.",
    remedy: "Split the request; `unitsEstimated` is what it would have cost.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests",
    description: "Requests came faster than the key or the whole service allows.",
    remedy: "Wait `retryAfter` seconds, then go on more slowly.",
  },
  "quota-exhausted": {
    status: 429,
    title: "Quota exhausted",
    description: "The key has used up its quota for this month.",
    remedy: "Wait until the first of next month, UTC; `retryAfter` counts the seconds.",
  },
  "concurrency-limit": {
    status: 429,
    title: "Too much at once",
    description: "Too many requests of one account run at once.",
    remedy: "Wait `retryAfter` seconds, or until an earlier request has ended.",
  },
  "ip-rate-limited": {
    status: 429,
    title: "Too many requests from this address",
    description: "One network address sent too many requests without a key, sign-ups, or wrong credentials.",
    remedy: "Wait `retryAfter` seconds; send a key that works where the route takes one.",
  },
  "upstream-unavailable": {
    status: 503,
    title: "Upstream unavailable",
    description: "The mail server has too many mails to send, or the monthly spending stop is on.",
    remedy: "Try again after `retryAfter` seconds where given; otherwise later.",
  },
  maintenance: {
    status: 503,
    title: "Under maintenance",
    description: "The service is closed for a short while.",
    remedy: "Try again after `retryAfter` seconds.",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A code of {@link ACCOUNT_PROBLEMS}. */
export type AccountProblemCode = keyof typeof ACCOUNT_PROBLEMS;

/** A refusal of a caller: a `ProblemError` of `@swath/problem` with one of these codes. */
export class AccountProblem extends problemErrors(ACCOUNT_PROBLEMS) {}
