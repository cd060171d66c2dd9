import { ApiError, problemOf } from "./api-error.ts";
import type { Memory } from "./person.ts";

const NAME = "swath-guest";
/** A token that ends sooner is renewed before it is used. */
const EARLY_MS = 60_000;
/** Wait after a fault, such as a service that does not answer. */
const PAUSE_MS = 10_000;

interface Stored {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly isSpent: boolean;
}

export interface GuestOptions {
  /** Asks for a token: `POST /v1/guest`. */
  readonly request: () => Promise<Response>;
  readonly memory?: Memory;
  /** Whether the page is of another site than the service: a refusal is an answer that such a page cannot read. */
  readonly isElsewhere?: boolean;
  readonly now?: () => number;
}

/**
 * The guest token of this tab, with which tiles and previews are drawn for users without a key. It outlives reloads,
 * since an address gets few of them in an hour, and so does the mark that its units are spent.
 */
export class Guest {
  readonly #request: () => Promise<Response>;
  readonly #memory: Memory;
  readonly #isElsewhere: boolean;
  readonly #now: () => number;
  #renewing: Promise<string | undefined> | undefined;
  /** Epoch milliseconds until which no token is asked for. */
  #pausedUntil = 0;
  #isRefused = false;

  constructor({ request, memory = sessionStorage, isElsewhere = false, now = Date.now }: GuestOptions) {
    this.#request = request;
    this.#memory = memory;
    this.#isElsewhere = isElsewhere;
    this.#now = now;
  }

  /** A token that is good for a minute at least; undefined where there is none to be had, or it is spent. */
  async token(): Promise<string | undefined> {
    const stored = this.#stored();
    const left = stored === undefined ? 0 : stored.expires - this.#now();
    if (left > EARLY_MS) return stored?.isSpent === true ? undefined : stored?.token;
    const renewed = await this.#renew();
    return renewed ?? (left > 0 && stored?.isSpent === false ? stored.token : undefined);
  }

  /** Forgets a token that the service refused, unless it is another one by now. */
  drop(token: string): void {
    if (this.#stored()?.token === token) this.#memory.removeItem(NAME);
  }

  /** Notes that the units of the token are spent: there is no other one until it ends. */
  spend(token: string): void {
    const stored = this.#stored();
    if (stored?.token === token) this.#memory.setItem(NAME, JSON.stringify({ ...stored, isSpent: true }));
  }

  /** The reason why this page has no tokens; undefined where it may have some. */
  get refusal(): string | undefined {
    return this.#isRefused
      ? "This service shows its images to guests on its own pages, and not on this site. Give a key to see them here, or open the service's own map."
      : undefined;
  }

  /** Notes that the service gives this page no tokens. */
  refuse(): void {
    this.#isRefused = true;
    this.#memory.removeItem(NAME);
    this.#pausedUntil = Number.POSITIVE_INFINITY;
  }

  #renew(): Promise<string | undefined> {
    if (this.#now() < this.#pausedUntil) return Promise.resolve(undefined);
    this.#renewing ??= this.#ask().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #ask(): Promise<string | undefined> {
    try {
      const response = await this.#request();
      if (!response.ok) throw new ApiError(await problemOf(response));
      const { accessToken, expiresIn } = (await response.json()) as { accessToken: string; expiresIn: number };
      const stored: Stored = { token: accessToken, expires: this.#now() + expiresIn * 1000, isSpent: false };
      this.#memory.setItem(NAME, JSON.stringify(stored));
      return accessToken;
    } catch (error) {
      const { status = 500, code, retryAfter } = error instanceof ApiError ? error.problem : {};
      const isUnread = this.#isElsewhere && !(error instanceof ApiError);
      if (code === "origin-not-allowed" || isUnread) this.refuse();
      else if (status === 429) this.#pausedUntil = this.#now() + (retryAfter ?? 60) * 1000;
      else if (status < 500) this.#pausedUntil = Number.POSITIVE_INFINITY;
      else this.#pausedUntil = this.#now() + PAUSE_MS;
      return undefined;
    }
  }

  #stored(): Stored | undefined {
    const text = this.#memory.getItem(NAME);
    if (text === null) return undefined;
    try {
      const { token, expires, isSpent } = JSON.parse(text) as Partial<Stored>;
      if (typeof token !== "string" || typeof expires !== "number") return undefined;
      return { token, expires, isSpent: isSpent === true };
    } catch {
      return undefined;
    }
  }
}
