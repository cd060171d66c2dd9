export { cors, preflightHeaders } from "./answer/cors.ts";
export { isLoopbackHost } from "./request/loopback.ts";
export { allowsOrigin, type SiteOrigins, siteOnly } from "./request/site-only.ts";
