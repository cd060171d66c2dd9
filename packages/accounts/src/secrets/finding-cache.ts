import { InFlight, Remembered } from "@swath/http";
import { hashOf } from "./secret-hash.ts";

/**
 * Time for which a secret that was found good is taken for good, milliseconds. A revoked one must stop within a minute;
 * this is half of it.
 */
export const GOOD_MS = 30_000;
/**
 * Time for which an unknown secret is taken for unknown, milliseconds. New secrets are random, so none of them was
 * asked for before.
 */
export const UNKNOWN_MS = 5000;
const MAX_REMEMBERED = 20_000;

/** The result of a look-up. */
export interface Finding<T> {
  readonly value: T | undefined;
  /** Time at which it has to be looked up again, epoch milliseconds; at most `GOOD_MS` after the question. */
  readonly until: number;
}

export interface FindingCacheOptions<T> {
  /** Asks the store. `asked` is the time before the question: what is revoked after it is found out by the next one. */
  readonly look: (secret: string, asked: number) => Promise<Finding<T>>;
  readonly now: () => number;
}

/** Remembers what look-ups of secrets found, by the hash of the secret. A look-up that fails is not remembered. */
export class FindingCache<T> {
  readonly #options: FindingCacheOptions<T>;
  readonly #findings = new Remembered<Finding<T>>({ max: MAX_REMEMBERED });
  readonly #lookups = new InFlight<Finding<T>>();

  constructor(options: FindingCacheOptions<T>) {
    this.#options = options;
  }

  async find(secret: string): Promise<T | undefined> {
    const { look, now } = this.#options;
    const name = hashOf(secret);
    const known = this.#findings.get(name);
    // a clock that was set back does not prolong what is remembered
    if (known !== undefined && now() < known.until && now() >= known.until - GOOD_MS) return known.value;
    const finding = await this.#lookups.share(name, () => look(secret, now()));
    this.#findings.set(name, finding);
    return finding.value;
  }

  /** Forgets what was found of the secrets with these hashes. */
  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#findings.delete(hash);
  }
}
