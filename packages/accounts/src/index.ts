export { endOfMonth, monthOf, untilNextDay, untilNextMinute } from "./calendar.ts";
export { CredentialError, LimitError, type LimitFacts } from "./errors.ts";
export {
  anonymousIdentity,
  type CredentialKind,
  type Identity,
  ownerIdentity,
  type Scope,
  type Tier,
} from "./identity.ts";
export { type Mail, MailError, type Mailer } from "./mail/mailer.ts";
export { signInMail } from "./mail/sign-in-mail.ts";
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
export type { Policy } from "./metering/answers/policies.ts";
export { requestCounts } from "./metering/answers/request-counts.ts";
export { type UnitAdmissionOptions, unitAdmission } from "./metering/answers/unit-admission.ts";
export { CLIENT_TOKENS, GUESTS, SIGN_UPS, takeFrom, wrongCredentials } from "./metering/counters/account-limits.ts";
export {
  type AddressLimit,
  type AddressLimits,
  ANONYMOUS_IMAGES,
  ANONYMOUS_SEARCH,
  limitsOf,
} from "./metering/counters/address-limits.ts";
export { DEFAULT_LIMITS, type LimitSettings, type Rate, SANDBOX_LIMITS } from "./metering/counters/limit-settings.ts";
export type { Counts, Usage } from "./metering/counters/usage.ts";
export { type Balance, type CurrentLimits, currentLimits, remainingUnits } from "./metering/reservations/balance.ts";
export type { JobCharge } from "./metering/reservations/job-charges.ts";
export { type LimitedPayer, type Payer, payerOf } from "./metering/reservations/payer.ts";
export type { Reservation, ReservationRequest, Reservations } from "./metering/reservations/reservations.ts";
export { GUEST_UNITS_DAY } from "./metering/reservations/shared-payers.ts";
export { GUEST_LIMITS, GUEST_UNITS, type MeteredTier, TIERS, type TierLimits } from "./metering/reservations/tiers.ts";
export { fromUnits, NO_UNITS, toUnits, type Units } from "./metering/reservations/units.ts";
export { ACCOUNTS_TABLES } from "./migrations.ts";
export { ACCOUNT_TIERS, type Account, AccountError, type AccountTier } from "./people/account.ts";
