import type { Log, Store } from "@swath/store";
import { type AccountKeys, storedAccountKeys } from "./keys/account-keys.ts";
import type { Mailer } from "./mail/mailer.ts";
import { wrongCredentials } from "./metering/counters/account-limits.ts";
import type { AddressLimits } from "./metering/counters/address-limits.ts";
import { AccountRows } from "./people/account-rows.ts";
import { type Sessions, storedSessions } from "./people/sessions.ts";
import { type SignIn, storedSignIn } from "./people/sign-in.ts";
import { SignInMails } from "./people/sign-in-mails.ts";
import { type StoredAccounts, storedAccounts } from "./people/stored-accounts.ts";
import { GuessLimit } from "./secrets/guess-limit.ts";
import { type CredentialLookup, credentialLookup } from "./tokens/credential-lookup.ts";
import { type StoredTokens, storedTokens } from "./tokens/stored-tokens.ts";

/** Accounts with their keys, sessions and tokens, and guests. */
export interface People {
  readonly accounts: StoredAccounts;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly keys: AccountKeys;
  readonly tokens: StoredTokens;
  /** Finds the holder of a key or token. */
  readonly lookup: CredentialLookup;
  readonly guesses: GuessLimit;
  /** Counts of sign-ups, guests and tokens. */
  readonly limits: AddressLimits;
  readonly mails: SignInMails;
  /** Whether mails are files of this machine, as answers to who signs up may say. */
  readonly hasOutbox: boolean;
}

/** Options of the accounts of people. */
export interface PeopleOptions {
  readonly store: Store;
  readonly limits: AddressLimits;
  readonly mailer: Mailer;
  readonly hasOutbox: boolean;
  /** Prefix of self-service keys, before `_`. */
  readonly keyPrefix: string;
  /** Key of the installation for hashes of the addresses of deleted accounts. */
  readonly addressKey: Uint8Array;
  /** The time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Opens the accounts of people over a store whose tables are there. */
export function openPeople({
  store,
  limits,
  mailer,
  hasOutbox,
  keyPrefix,
  addressKey,
  now,
  log,
}: PeopleOptions): People {
  const rows = new AccountRows({ now, addressKey });
  return {
    accounts: storedAccounts(store, rows, now),
    signIn: storedSignIn(store, rows, now),
    sessions: storedSessions(store, now),
    keys: storedAccountKeys(store, keyPrefix, now),
    tokens: storedTokens(store, now),
    lookup: credentialLookup(store, keyPrefix, now),
    guesses: new GuessLimit(wrongCredentials(limits), now),
    limits,
    mails: new SignInMails({ store, mailer, now, log }),
    hasOutbox,
  };
}
