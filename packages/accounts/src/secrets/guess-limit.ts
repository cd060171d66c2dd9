import { Remembered } from "@swath/http";
import { LimitError } from "../errors.ts";
import { hashOf } from "./secret-hash.ts";

/** The kind of a secret that is sent; wrong ones of each kind are counted apart. */
export type GuessKind = "key" | "bearer" | "link" | "client" | "map";

/** Counts wrong secrets by the network that sent them, and by kind. */
export interface WrongCredentials {
  /** The guesses that are taken, and their period. */
  readonly limits: Readonly<Record<string, number>>;
  /**
   * Counts one more.
   *
   * @returns milliseconds for which a network that sent too many is refused; undefined where it is not.
   */
  count(kind: GuessKind, network: string): Promise<number | undefined>;
}

const MAX_REMEMBERED = 20_000;
/** A client that repeats the same wrong secret is counted once in this time. */
const REPEATED_MS = 5000;

/**
 * Bounds guessing: a network that sent too many wrong secrets is told to wait. Each secret is looked up all the same, so
 * that one wrong client locks out none of its neighbours; text that has not the form of a secret is not asked for in the
 * store. Nothing is gained by trying on: secrets have 238 random bits.
 */
export class GuessLimit {
  readonly #wrong: WrongCredentials;
  readonly #now: () => number;
  readonly #counted = new Remembered<number>({ max: MAX_REMEMBERED });

  constructor(wrong: WrongCredentials, now: () => number = Date.now) {
    this.#wrong = wrong;
    this.#now = now;
  }

  /**
   * Looks a secret up with `identify`, which gives undefined for a wrong one.
   *
   * @throws {LimitError} `address` for a wrong one where the network has sent too many of this kind.
   */
  async identify<T>(
    kind: GuessKind,
    secret: string,
    network: string,
    identify: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const found = await identify();
    if (found !== undefined || this.#wasCounted(`${kind} ${network} ${hashOf(secret)}`)) return found;
    const wait = await this.#wrong.count(kind, network);
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

function refusal(wait: number, limits: WrongCredentials["limits"]): LimitError {
  return new LimitError("address", "Too many wrong credentials came from this address: wait.", {
    retryAfter: wait / 1000,
    limits,
  });
}
