/** Storage that lasts as long as the tab: the part of `Storage` that is used. */
export type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const KEY = "swath-key";
const SESSION = "swath-session";

/**
 * The keys and tokens of the user of this tab: a key that was given, a session of the account page.
 *
 * They are kept for the tab alone, in `sessionStorage`. A script that runs in this origin can read any storage, which
 * the content security policy has to prevent; the choice of storage decides who finds the secret later. `localStorage`
 * would keep it for the next user of a shared computer, and for anyone who copies the browser's profile, for as long
 * as the session is good. A cookie would be sent along with requests that other sites cause, and has to be guarded
 * against them.
 */
export class Person {
  readonly #memory: Memory;

  constructor(memory: Memory = sessionStorage) {
    this.#memory = memory;
  }

  get key(): string | undefined {
    return this.#memory.getItem(KEY) ?? undefined;
  }

  set key(key: string | undefined) {
    this.#put(KEY, key);
  }

  get session(): string | undefined {
    return this.#memory.getItem(SESSION) ?? undefined;
  }

  set session(token: string | undefined) {
    this.#put(SESSION, token);
  }

  #put(name: string, value: string | undefined): void {
    if (value === undefined) this.#memory.removeItem(name);
    else this.#memory.setItem(name, value);
  }

  /** Headers of the user's requests; those of the key where there are both; undefined where there is neither. */
  get headers(): Record<string, string> | undefined {
    const { key, session } = this;
    if (key !== undefined) return { "X-API-Key": key };
    return session === undefined ? undefined : { Authorization: `Bearer ${session}` };
  }
}
