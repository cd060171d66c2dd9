export { chooseEncoding, compress } from "./answer/compress.ts";
export { type CacheRules, conditional, fingerprint, matchesEtag } from "./answer/conditional.ts";
export { cors, preflightHeaders } from "./answer/cors.ts";
export { type DocumentOptions, sendDocument } from "./answer/document.ts";
export { completeAnswer, withFirstBytes } from "./answer/first-bytes.ts";
export { appendVary, headerList } from "./answer/header-list.ts";
export { chooseMediaType } from "./answer/media-choice.ts";
export { type NotServedOptions, notServed } from "./answer/not-served.ts";
export { type ProblemAnswers, problemAnswers } from "./answer/problems.ts";
export { securityHeaders } from "./answer/security-headers.ts";
export { jsonParts, textAnswer } from "./answer/text-parts.ts";
export { element, elementWith, type XmlElement, xmlDocument } from "./answer/xml.ts";
export type { Log, ProblemForm, SocketBindings, WebContext, WebEnv, WebVariables } from "./context.ts";
export { BuiltFiles } from "./files/built-files.ts";
export { parseRange, sendBytes, sendFile } from "./files/byte-range.ts";
export { type ByteRange, pathBelow, type StoredBytes } from "./files/stored-bytes.ts";
export { FORM_TYPE, JSON_TYPE } from "./media-types.ts";
export { REQUEST_PROBLEMS, RequestProblem, type RequestProblemCode } from "./problems.ts";
export { type BodySpec, placeIn, readBody, readBounded, type UncheckedBody } from "./request/body.ts";
export { check, detailOf, type Suggest } from "./request/check.ts";
export { type ClientAddress, clientNetwork } from "./request/client-network.ts";
export { isLoopbackHost } from "./request/loopback.ts";
export { header, openApiOperation } from "./request/openapi-operation.ts";
export { type CompiledPath, type Method, methodsOf, type PathFacts, PathTable } from "./request/paths.ts";
export {
  ClientClosedError,
  DeadlineError,
  isClosed,
  REQUEST_DEADLINE_MS,
  requestScope,
  type ScopeOptions,
} from "./request/request-scope.ts";
export { type RequestSpanOptions, requestSpans } from "./request/request-spans.ts";
export { addRoute, type RouteHandler, type RouteOptions, type Router } from "./request/route.ts";
export type {
  Fields,
  HeaderDescription,
  HeaderDescriptions,
  RouteInput,
  RouteSpec,
  StatusDescriptions,
} from "./request/route-spec.ts";
export { allowsOrigin, type SiteOrigins, siteOnly } from "./request/site-only.ts";
export { createHttpServer, type SocketApp } from "./server/http-server.ts";
export { checkAddresses, type ListenAddress, ListenError, listenAt } from "./server/listen.ts";
export { createProbeServer, LIVE } from "./server/probe-server.ts";
