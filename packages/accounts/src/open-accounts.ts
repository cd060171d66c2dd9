import type { Log, Store } from "@swath/store";
import type { JobCharges } from "@swath/store/jobs";
import { anyKeyLookup, fixedKeyLookup, type KeyLookup } from "./keys/key-lookup.ts";
import { storedKeyLookup } from "./keys/stored-key-lookup.ts";
import type { Mailer } from "./mail/mailer.ts";
import { type Outbox, outbox } from "./mail/outbox.ts";
import { type SmtpServer, smtpMailer } from "./mail/smtp-mailer.ts";
import { type Maps, openMaps } from "./maps/open-maps.ts";
import type { UnitMetrics } from "./metering/answers/admitted.ts";
import { type AddressLimits, storedAddressLimits } from "./metering/counters/address-limits.ts";
import type { LimitSettings } from "./metering/counters/limit-settings.ts";
import { type RequestLimits, storedLimits } from "./metering/counters/request-limits.ts";
import { jobCharges } from "./metering/reservations/job-charges.ts";
import { openUnitAccounts, type UnitAccounts } from "./metering/reservations/unit-accounts.ts";
import { openPeople, type People } from "./open-people.ts";
import { type McpSessions, storedMcpSessions } from "./tokens/mcp-sessions.ts";

/** Settings for sending mails to people. */
export interface MailSettings {
  /** `Name <address>` or an address. */
  readonly from: string;
  /** Absent: mails are files in `folder`. */
  readonly smtp?: SmtpServer;
  readonly folder: string;
}

/** Settings of the callers of a service, and of their limits. */
export interface AccountsSettings {
  /** Keys of the service's owner, besides those in the store. */
  readonly apiKeys: readonly string[];
  /** Rates and quotas of keys of the service's owner. */
  readonly limits: LimitSettings;
  /** Units that all guests together spend in a day. */
  readonly guestUnitsDay: number;
  /** Whether callers without a key or token are counted, and so admitted. */
  readonly takesAnonymous: boolean;
  /** Prefix of self-service keys, before `_`. */
  readonly keyPrefix: string;
  /** Absent: nobody has an account, and there are no guests. */
  readonly mail?: MailSettings;
}

/** Options of `openAccounts`. */
export interface AccountsOptions {
  /** Opened with {@link ACCOUNTS_TABLES}. */
  readonly store: Store;
  /** Key of the installation for hashes of the addresses of deleted accounts. */
  readonly addressKey: Uint8Array;
  /** Sends mails in place of what the settings say. */
  readonly mailer?: Mailer;
  /** The time, epoch milliseconds. */
  readonly now?: () => number;
  /** Told what became of the units of background jobs. */
  readonly onJobUnits?: UnitMetrics["units"];
  readonly log: Log;
}

/** The parts of the accounts that routes use. */
export interface AccountsParts {
  /** Keys of the service's owner. */
  readonly keys: KeyLookup;
  /** Rates and quotas of requests with such a key. */
  readonly limits: RequestLimits;
  /** Those limits; absent: those of the specification. */
  readonly limitSettings?: LimitSettings;
  /** Units that all guests together spend in a day; absent: the default. */
  readonly guestUnitsDay?: number;
  /** Units of accounts, guests and the service's owner; absent: units are not counted. */
  readonly units?: UnitAccounts;
  /** The first characters of a self-service key or a map token, by which its owner knows it; undefined for an unknown id. */
  readonly keyPrefixOf?: (keyId: string) => Promise<string | undefined>;
  /** Accounts of people, and guests; absent: keys of the owner alone. */
  readonly accounts?: People;
  /** Counts of callers without a key or token; absent: none are admitted. */
  readonly addressLimits?: AddressLimits;
  /** Map tokens; absent: there are none. */
  readonly maps?: Maps;
  /** Sessions of the Model Context Protocol; absent: it is not served. */
  readonly mcpSessions?: McpSessions;
}

/** The accounts of a service: its callers, and their limits. */
export interface Accounts {
  readonly parts: AccountsParts & Required<Pick<AccountsParts, "units" | "limitSettings" | "mcpSessions" | "maps">>;
  /** Charges background jobs as the store's queue ends them. */
  readonly charges: JobCharges;
  /** The place that mails go to, in words; absent: there are none. */
  readonly mails?: string;
  /** Removes mails that are files and older than a day; absent: no mail is a file. */
  readonly outbox?: Outbox;
  /** Writes what was counted: for a process that may be stopped before the next writing. */
  flush(): Promise<void>;
  /**
   * Writes what was counted and stops.
   *
   * @throws {AggregateError} where the store did not take counts, which are lost.
   */
  close(): Promise<void>;
}

/** Opens what knows who asks and counts it, over a store that nodes may share. */
export function openAccounts(settings: AccountsSettings, options: AccountsOptions): Accounts {
  const { store, addressKey, onJobUnits, log, now = Date.now } = options;
  const { apiKeys, limits: limitSettings, guestUnitsDay, takesAnonymous, keyPrefix, mail } = settings;
  const warn =
    (what: string) =>
    (error: unknown): void =>
      log.warn({ err: error }, `${what} could not be written`);
  const limits = storedLimits(store, limitSettings, { now, onError: warn("request counts") });
  const units = openUnitAccounts(store, { now, onError: warn("units") });
  const addressLimits = storedAddressLimits(store, { now });
  const files = mail === undefined || mail.smtp !== undefined ? undefined : outbox(mail.folder, mail.from);
  const mailer = options.mailer ?? (mail?.smtp === undefined ? files : smtpMailer(mail.smtp, mail.from));
  const people =
    mailer === undefined
      ? undefined
      : openPeople({
          store,
          limits: addressLimits,
          mailer,
          hasOutbox: files !== undefined,
          keyPrefix,
          addressKey,
          now,
          log,
        });
  const maps = openMaps(store, now);
  return {
    parts: {
      keys: anyKeyLookup([fixedKeyLookup(apiKeys), storedKeyLookup(store, now)]),
      limits,
      limitSettings,
      guestUnitsDay,
      units,
      maps,
      mcpSessions: storedMcpSessions(store, { now }),
      ...(takesAnonymous ? { addressLimits } : {}),
      keyPrefixOf: async (id: string) => (await people?.keys.prefixOf(id)) ?? maps.tokens.prefixOf(id),
      ...(people === undefined ? {} : { accounts: people }),
    },
    charges: jobCharges(onJobUnits),
    ...(mail === undefined
      ? {}
      : { mails: mail.smtp === undefined ? `files in ${mail.folder}` : `by ${mail.smtp.host}:${mail.smtp.port}` }),
    ...(files === undefined ? {} : { outbox: files }),
    flush: async () => {
      await Promise.all([limits.flush(), units.flush()]);
    },
    async close() {
      await people?.mails.close();
      const written = await Promise.allSettled([limits.close(), units.close()]);
      const lost = written.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
      if (lost.length > 0) throw new AggregateError(lost, "Counts are lost: the store did not take them.");
    },
  };
}
