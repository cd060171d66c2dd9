export { type AdmissionOptions, admissionOf } from "./admission.ts";
export { CredentialError, LimitError } from "./errors.ts";
export { anonymousIdentity, type Identity, ownerIdentity } from "./identity.ts";
export { KeyLimitError } from "./keys/account-keys.ts";
export { type Mail, MailError, type Mailer } from "./mail/mailer.ts";
export type { SmtpServer } from "./mail/smtp-mailer.ts";
export { MapLimitError } from "./maps/map-tokens.ts";
export type { Admission, AdmissionRequest, Admitted, HeldUnits, Receipt } from "./metering/answers/admission.ts";
export { Meter, type MeterOptions } from "./metering/answers/meter.ts";
export { type AddressLimits, ANONYMOUS_SEARCH } from "./metering/counters/address-limits.ts";
export { DEFAULT_LIMITS, type LimitSettings } from "./metering/counters/limit-settings.ts";
export { type Payer, payerOf } from "./metering/units/payer.ts";
export { GUEST_UNITS_DAY } from "./metering/units/shared-payers.ts";
export { fromUnits, toUnits, type Units } from "./metering/units/units.ts";
export { ACCOUNTS_TABLES } from "./migrations.ts";
export {
  type Accounts,
  type AccountsOptions,
  type AccountsParts,
  type AccountsSettings,
  type MailSettings,
  openAccounts,
} from "./open-accounts.ts";
export type { People } from "./open-people.ts";
export { AccountError } from "./people/account.ts";
export { parseEmailAddress } from "./people/email-address.ts";
