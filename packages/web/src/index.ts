export { compress } from "./answer/compress.ts";
export { type NotServedOptions, notServed } from "./answer/not-served.ts";
export { type ProblemAnswers, problemAnswers } from "./answer/problems.ts";
export { securityHeaders } from "./answer/security-headers.ts";
export type { Log, WebContext, WebEnv, WebVariables } from "./context.ts";
export { JSON_TYPE } from "./media-types.ts";
export { REQUEST_PROBLEMS, RequestProblem } from "./problems.ts";
export { type BodySpec, placeIn, readBounded } from "./request/body.ts";
export { check, type Suggest } from "./request/check.ts";
export { header } from "./request/openapi-operation.ts";
export { type CompiledPath, type Method, methodsOf, type PathFacts, PathTable } from "./request/paths.ts";
export {
  DeadlineError,
  isClosed,
  REQUEST_DEADLINE_MS,
  requestScope,
  type ScopeOptions,
} from "./request/request-scope.ts";
export { type RequestSpanOptions, requestSpans } from "./request/request-spans.ts";
export { addRoute, type RouteHandler, type RouteOptions, type Router } from "./request/route.ts";
export type { Fields, HeaderDescriptions, RouteInput, RouteSpec, StatusDescriptions } from "./request/route-spec.ts";
