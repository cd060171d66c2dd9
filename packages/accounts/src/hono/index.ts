export { type Access, type AccessOptions, createAccess } from "./access/access.ts";
export type { Authenticator, Credentials, Refusal, SecurityScheme } from "./access/authenticator.ts";
export { type BearerOptions, bearerAuthenticator } from "./access/bearer-authenticator.ts";
export { type KeyAuthenticatorOptions, keyAuthenticator } from "./access/key-authenticator.ts";
export { limitGuesses } from "./access/limit-guesses.ts";
export { MAP_PATH, mapAuthenticator, mapSecretIn, withoutMapSecret } from "./access/map-authenticator.ts";
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
export { authenticate, type Policies } from "./metering/authenticate.ts";
export type { AccountContext, AccountEnv, AccountVariables } from "./metering/context.ts";
export { accountProblem } from "./metering/limit-problem.ts";
export { receiptHeaders } from "./metering/receipt-headers.ts";
export { addMeteredRoute, type MeteredOptions, type MeteredRoute, type MeteredRouter } from "./metering/route.ts";
export { ACCOUNT_PROBLEMS, AccountProblem, type AccountProblemCode } from "./problems.ts";
export { type MapRoutes, registerMaps } from "./routes/maps.ts";
export { registerTokenForm } from "./routes/oauth/token.ts";
export type { AccountEvent, AccountRoutes, ProtectedResource } from "./routes/options.ts";
export { isAccountPath, registerAccounts } from "./routes/register.ts";
export { registerUsage, type UsageRoutes } from "./routes/usage.ts";
