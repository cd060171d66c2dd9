import { ProblemError } from "@swath/problem";
import { LRUCache } from "lru-cache";
import type { Authenticator } from "./authenticator.ts";
import { hashOf } from "./secret-hash.ts";

/** Counts wrong credentials by the network that sent them. */
export interface WrongCredentials {
  /** How many are taken in how long, as the problem has it. */
  readonly limits: Readonly<Record<string, number>>;
  /** Milliseconds for which a network that sent too many is refused; undefined where it is not. Asks no store. */
  refusedFor(network: string): number | undefined;
  /** Counts one more, and says the same. */
  count(network: string): Promise<number | undefined>;
}

const MAX_REMEMBERED = 20_000;
/** A client that repeats the same wrong secret is counted once in this time. */
const REPEATED_MS = 5000;

/**
 * Bounds guessing: a network that sent too many wrong secrets is refused, and what it sends is not looked up. Secrets
 * that were good on this node are looked up all the same, so that one wrong client does not lock out its neighbours.
 */
export class GuessLimit {
  readonly #wrong: WrongCredentials;
  readonly #now: () => number;
  readonly #good = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #counted = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(wrong: WrongCredentials, now: () => number = Date.now) {
    this.#wrong = wrong;
    this.#now = now;
  }

  /**
   * Looks a secret up with `identify`, which gives undefined for a wrong one.
   *
   * @throws {ProblemError} `ip-rate-limited` where the network has sent too many wrong ones.
   */
  async identify<T>(secret: string, network: string, identify: () => Promise<T | undefined>): Promise<T | undefined> {
    const name = hashOf(secret);
    const refused = this.#good.has(name) ? undefined : this.#wrong.refusedFor(network);
    if (refused !== undefined) throw refusal(refused, this.#wrong.limits);
    const found = await identify();
    if (found !== undefined) {
      this.#good.set(name, true);
      return found;
    }
    if (this.#wasCounted(`${network} ${name}`)) return undefined;
    const wait = await this.#wrong.count(network);
    if (wait !== undefined) throw refusal(wait, this.#wrong.limits);
    return undefined;
  }

  #wasCounted(name: string): boolean {
    const last = this.#counted.get(name);
    const time = this.#now();
    if (last !== undefined && time >= last && time < last + REPEATED_MS) return true;
    this.#counted.set(name, time);
    return false;
  }
}

function refusal(wait: number, limits: WrongCredentials["limits"]): ProblemError {
  return new ProblemError("ip-rate-limited", "Too many wrong credentials came from this address: wait.", {
    retryAfter: wait / 1000,
    limits,
  });
}

/** An authenticator whose wrong secrets are counted. */
export function limitGuesses(authenticator: Authenticator, guesses: GuessLimit): Authenticator {
  return {
    ...authenticator,
    identify: (secret, credentials) =>
      guesses.identify(secret, credentials.network(), () => authenticator.identify(secret, credentials)),
  };
}
