import { type Accounts, type AddressLimits, DEFAULT_LIMITS, type Mailer, openAccounts } from "@swath/accounts";
import type { Store } from "@swath/store";
import { type Logger, pino } from "pino";

/** The accounts of a test service: their parts, and what ends them. */
export type TestAccounts = Accounts["parts"] &
  Pick<Accounts, "charges" | "close"> & { readonly addressLimits: AddressLimits };

export interface TestAccountsOptions {
  readonly now?: () => number;
  readonly apiKeys?: readonly string[];
  readonly limits?: typeof DEFAULT_LIMITS;
  readonly keyPrefix?: string;
  /** Absent, without an outbox: nobody has an account. */
  readonly mailer?: Mailer;
  /** Folder of mails; the answers to who signs up tell of it. */
  readonly outbox?: string;
  readonly log?: Logger;
}

/** Opens accounts over a store whose tables are there. */
export function accountsOn(store: Store, options: TestAccountsOptions = {}): TestAccounts {
  const { now = Date.now, apiKeys = [], limits = DEFAULT_LIMITS, keyPrefix = "swath", mailer, outbox } = options;
  const { log = pino({ level: "silent" }) } = options;
  const elsewhere = { host: "mail.test", port: 587, tls: "off" as const };
  const mail = {
    from: "swath@maps.example",
    folder: outbox ?? "",
    ...(outbox === undefined ? { smtp: elsewhere } : {}),
  };
  const { parts, charges, close } = openAccounts(
    {
      apiKeys,
      limits,
      guestUnitsDay: 20_000,
      takesAnonymous: true,
      keyPrefix,
      ...(mailer === undefined && outbox === undefined ? {} : { mail }),
    },
    { store, addressKey: Buffer.from("a secret of tests"), now, log, ...(mailer === undefined ? {} : { mailer }) },
  );
  const { addressLimits } = parts;
  if (addressLimits === undefined) throw new Error("Callers without a key are counted.");
  return { ...parts, addressLimits, charges, close };
}
