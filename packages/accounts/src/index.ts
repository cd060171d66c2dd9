export { endOfMonth, monthOf, untilNextDay, untilNextMinute } from "./calendar.ts";
export { CredentialError, LimitError, type LimitFacts, StopError } from "./errors.ts";
export type { MapIdentity } from "./identity.ts";
export {
  anonymousIdentity,
  type CredentialKind,
  type Identity,
  ownerIdentity,
  type Scope,
  type Tier,
} from "./identity.ts";
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
export { storedKeyLookup } from "./keys/stored-key-lookup.ts";
export { type KeyEntry, KeyError, type NewSecret, type StoredKeys, storedKeys } from "./keys/stored-keys.ts";
export { type Mail, MailError, type Mailer } from "./mail/mailer.ts";
export { type Outbox, outbox } from "./mail/outbox.ts";
export { signInMail } from "./mail/sign-in-mail.ts";
export { type SmtpServer, smtpMailer } from "./mail/smtp-mailer.ts";
export { type MapLookup, mapLookup } from "./maps/map-lookup.ts";
export { MAX_MAPS, MapLimitError, type MapSettings, type MapToken, type MapTokens } from "./maps/map-tokens.ts";
export { type Maps, openMaps } from "./maps/open-maps.ts";
export { accountRequests } from "./metering/answers/account-requests.ts";
export type {
  Admission,
  AdmissionRequest,
  Admitted,
  HeldUnits,
  OwnerReceipt,
  Receipt,
  RequestKind,
  UnitReceipt,
} from "./metering/answers/admission.ts";
export type { UnitMetrics } from "./metering/answers/admitted.ts";
export { anonymousLimits } from "./metering/answers/anonymous-limits.ts";
export { Meter, type MeterOptions } from "./metering/answers/meter.ts";
export { requestCounts } from "./metering/answers/request-counts.ts";
export { type UnitAdmissionOptions, unitAdmission } from "./metering/answers/unit-admission.ts";
export { CLIENT_TOKENS, GUESTS, SIGN_UPS, takeFrom, wrongCredentials } from "./metering/counters/account-limits.ts";
export {
  type AddressLimit,
  type AddressLimits,
  ANONYMOUS_IMAGES,
  ANONYMOUS_SEARCH,
  limitsOf,
  storedAddressLimits,
} from "./metering/counters/address-limits.ts";
export { DEFAULT_LIMITS, type LimitSettings, type Rate, SANDBOX_LIMITS } from "./metering/counters/limit-settings.ts";
export {
  type RequestLimits,
  type StoredLimits,
  type StoredLimitsOptions,
  storedLimits,
} from "./metering/counters/request-limits.ts";
export type { JobCharge } from "./metering/reservations/job-charges.ts";
export { jobCharges } from "./metering/reservations/job-charges.ts";
export type { Reservation, ReservationRequest, Reservations } from "./metering/reservations/reservations.ts";
export {
  openUnitAccounts,
  type UnitAccounts,
  type UnitAccountsOptions,
} from "./metering/reservations/unit-accounts.ts";
export type { Counts, Usage } from "./metering/reservations/usage.ts";
export { type Balance, type CurrentLimits, currentLimits, remainingUnits } from "./metering/units/balance.ts";
export { type LimitedPayer, type Payer, payerOf } from "./metering/units/payer.ts";
export type { Policy } from "./metering/units/policies.ts";
export { GUEST_UNITS_DAY } from "./metering/units/shared-payers.ts";
export { GUEST_LIMITS, GUEST_UNITS, type MeteredTier, TIERS, type TierLimits } from "./metering/units/tiers.ts";
export { fromUnits, NO_UNITS, toUnits, type Units } from "./metering/units/units.ts";
export { ACCOUNTS_TABLES } from "./migrations.ts";
export {
  type Accounts,
  type AccountsOptions,
  type AccountsParts,
  type AccountsSettings,
  type MailSettings,
  openAccounts,
} from "./open-accounts.ts";
export { openPeople, type People, type PeopleOptions } from "./open-people.ts";
export { type AccountsCommandParts, runAccountsCommand } from "./owner/accounts-command.ts";
export { type KeysCommandParts, runKeysCommand } from "./owner/keys-command.ts";
export {
  type Maintenance,
  type MaintenanceOptions,
  openMaintenance,
  type StoredMaintenance,
} from "./owner/maintenance.ts";
export { type MaintenanceCommandParts, runMaintenanceCommand } from "./owner/maintenance-command.ts";
export { runSpendingCommand, type SpendingCommandParts } from "./owner/spending-command.ts";
export {
  SPENDING_TABLES,
  type SpendingBounds,
  type SpendingState,
  type Spent,
  spentIn,
} from "./owner/spending-state.ts";
export {
  openSpending,
  type SpendingStop,
  type StoredSpending,
  type StoredSpendingOptions,
} from "./owner/spending-stop.ts";
export { ACCOUNT_TIERS, type Account, AccountError, type AccountTier } from "./people/account.ts";
export { AccountRows, type AccountRowsOptions } from "./people/account-rows.ts";
export { MAX_EMAIL, parseEmailAddress } from "./people/email-address.ts";
export type { Session, Sessions } from "./people/sessions.ts";
export { SESSION_MS, type SignedIn, type SignIn } from "./people/sign-in.ts";
export type { MailRequest, SignInMails } from "./people/sign-in-mails.ts";
export { type StoredAccounts, storedAccounts } from "./people/stored-accounts.ts";
export { type GuessKind, GuessLimit, type WrongCredentials } from "./secrets/guess-limit.ts";
export { hashOf } from "./secrets/secret-hash.ts";
export { isSecret, makeSecret } from "./secrets/secrets.ts";
export { type CredentialLookup, credentialLookup, type TokenLookup } from "./tokens/credential-lookup.ts";
export {
  MCP_IDLE_MS,
  MCP_SESSIONS,
  type McpSession,
  type McpSessions,
  storedMcpSessions,
} from "./tokens/mcp-sessions.ts";
export { type StoredTokens, TOKEN_MS } from "./tokens/stored-tokens.ts";
