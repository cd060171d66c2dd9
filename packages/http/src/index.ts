export { type BodyOptions, readBytes, readText } from "./body.ts";
export { HttpError, type HttpErrorCode } from "./errors.ts";
export { InFlight } from "./in-flight.ts";
export { Pace, type PaceLimits, type PaceOptions, type PaceWait, paceState, sharedPace } from "./pace.ts";
export type {} from "./platform-types.ts";
export { type RetryOptions, type RetryRun, retryAfterSeconds, sleepFor, withRetries } from "./retry.ts";
export { type Fetch, type HttpRequest, type SendOptions, send } from "./send.ts";
export { TimeLimit } from "./time-limit.ts";
