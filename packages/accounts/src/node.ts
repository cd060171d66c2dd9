export {
  type AccountKey,
  type AccountKeys,
  KEY_SCOPES,
  KeyLimitError,
  type KeyScope,
  keyScopesOf,
  type NewKey,
  storedAccountKeys,
} from "./keys/account-keys.ts";
export { anyKeyLookup, fixedKeyLookup, type KeyLookup } from "./keys/key-lookup.ts";
export { hashOf } from "./keys/secret-hash.ts";
export { isSecret, makeSecret } from "./keys/secrets.ts";
export { storedKeyLookup } from "./keys/stored-key-lookup.ts";
export { type KeyEntry, KeyError, type NewSecret, type StoredKeys, storedKeys } from "./keys/stored-keys.ts";
export { type Outbox, outbox } from "./mail/outbox.ts";
export { type SmtpServer, smtpMailer } from "./mail/smtp-mailer.ts";
export { storedAddressLimits } from "./metering/counters/address-limits.ts";
export {
  type RequestLimits,
  type StoredLimits,
  type StoredLimitsOptions,
  storedLimits,
} from "./metering/counters/request-limits.ts";
export { jobCharges } from "./metering/reservations/job-charges.ts";
export {
  openUnitAccounts,
  type UnitAccounts,
  type UnitAccountsOptions,
} from "./metering/reservations/unit-accounts.ts";
export {
  type Accounts,
  type AccountsOptions,
  type AccountsParts,
  type AccountsSettings,
  type MailSettings,
  openAccounts,
} from "./open-accounts.ts";
export { AccountRows, type AccountRowsOptions } from "./people/account-rows.ts";
export { MAX_EMAIL, parseEmailAddress } from "./people/email-address.ts";
export { openPeople, type People, type PeopleOptions } from "./people/open-people.ts";
export type { Session, Sessions } from "./people/sessions.ts";
export { SESSION_MS, type SignedIn, type SignIn } from "./people/sign-in.ts";
export type { MailRequest, SignInMails } from "./people/sign-in-mails.ts";
export { type StoredAccounts, storedAccounts } from "./people/stored-accounts.ts";
export { type CredentialLookup, credentialLookup, type TokenLookup } from "./tokens/credential-lookup.ts";
export { type GuessKind, GuessLimit, type WrongCredentials } from "./tokens/guess-limit.ts";
export {
  MCP_IDLE_MS,
  MCP_SESSIONS,
  type McpSession,
  type McpSessions,
  storedMcpSessions,
} from "./tokens/mcp-sessions.ts";
export { type StoredTokens, TOKEN_MS } from "./tokens/stored-tokens.ts";
