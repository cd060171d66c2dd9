import { createHmac, randomBytes } from "node:crypto";
import { keepSetting, type Store } from "@swath/store";
import { sameHash } from "../secrets/secret-hash.ts";
import { isSecret, makeSecret, SECRET_CHARACTERS } from "../secrets/secrets.ts";

/** Characters of a mark: a random text has the right one once in 62⁶ times, 5.7 · 10¹⁰. */
const MARK_LENGTH = 6;
/** Name of the setting that holds the key of marks. */
const NAME = "map-token-marks";

/**
 * Secrets whose last six characters mark them as made here: HMAC-SHA256 of the others under a key in the store, so that a
 * secret that somebody made up is refused without a look-up. The mark opens nothing: whoever knows its key can cause
 * look-ups, no more.
 */
export class MarkedSecrets {
  readonly #store: Store;
  readonly #now: () => number;
  #key: Promise<string> | undefined;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** A new secret: 34 random letters and digits, 202 bits, and their mark. */
  async make(): Promise<string> {
    const random = makeSecret().slice(MARK_LENGTH);
    return `${random}${await this.#markOf(random)}`;
  }

  /** Whether the text is a secret with its mark: made here, if it was not removed since. */
  async isMarked(text: string): Promise<boolean> {
    return isSecret(text) && sameHash(text.slice(-MARK_LENGTH), await this.#markOf(text.slice(0, -MARK_LENGTH)));
  }

  async #markOf(random: string): Promise<string> {
    const bytes = createHmac("sha256", await this.#readKey())
      .update(random)
      .digest();
    return Array.from(
      bytes.subarray(0, MARK_LENGTH),
      (byte) => SECRET_CHARACTERS[byte % SECRET_CHARACTERS.length],
    ).join("");
  }

  /** The key, read once; again where the store did not answer. */
  #readKey(): Promise<string> {
    this.#key ??= keepSetting(this.#store, NAME, randomBytes(32).toString("hex"), this.#now()).catch(
      (error: unknown) => {
        this.#key = undefined;
        throw error;
      },
    );
    return this.#key;
  }
}
