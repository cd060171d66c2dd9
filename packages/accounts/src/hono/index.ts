export { type Access, type AccessOptions, createAccess } from "./access/access.ts";
export type { Authenticator, Credentials, SecurityScheme } from "./access/authenticator.ts";
export { authenticatorsOf } from "./access/authenticators.ts";
export { type KeyAuthenticatorOptions, keyAuthenticator } from "./access/key-authenticator.ts";
export { MAP_PATH, mapSecretIn, withoutMapSecret } from "./access/map-authenticator.ts";
export {
  ACCOUNT,
  accessStatus,
  DATA,
  MAP,
  PUBLIC,
  permitsAny,
  type RouteAccess,
  SESSION,
} from "./access/route-access.ts";
export { authenticate } from "./metering/authenticate.ts";
export type { AccountContext, AccountEnv, AccountVariables } from "./metering/context.ts";
export { accountProblem } from "./metering/limit-problem.ts";
export { addMeteredRoute, type MeteredOptions, type MeteredRoute, type MeteredRouter } from "./metering/route.ts";
export { ACCOUNT_PROBLEMS, AccountProblem } from "./problems.ts";
export { type MapRoutes, registerMaps } from "./routes/maps.ts";
export { registerTokenForm } from "./routes/oauth/token.ts";
export type { AccountEvent, AccountRoutes } from "./routes/options.ts";
export { isAccountPath, registerAccounts } from "./routes/register.ts";
export { registerUsage, type UsageRoutes } from "./routes/usage.ts";
