import type { Queries } from "@swath/store";
import type { Rate } from "./limit-settings.ts";
import type { Bucket } from "./rate-limiter.ts";
import { leaseTokens } from "./token-lease.ts";

/** A node that needs tokens twice within this time takes as many ahead as the rate gives in it. */
const AHEAD_MS = 100;
/** Tokens taken ahead and not used within this time are dropped. */
const HOLD_MS = 1000;
/** Shortest time for which an empty bucket is not asked again. */
const MIN_PAUSE_MS = 20;
const FORGET_MS = 600_000;
/** Part of a second's tokens, at least one, that a node spends before it has leased them where the bucket was half full. */
const CREDIT_S = 0.02;

/**
 * A bucket of many nodes: a row of the store, from which each node leases a few tokens at a time. From the start until any
 * moment all nodes admit what the bucket gives, and each at most its credit more: one request of a key, two of the service
 * at the rates of the specification. Seen over any other stretch of time, a node may also spend what it leased up to a
 * second before: at most a tenth of a second's worth of tokens.
 *
 * Fewer tokens than none: some were spent on credit, so that a request now and then does not wait for the store; they are
 * paid back before more are spent.
 */
export class LeasedBucket implements Bucket {
  readonly #store: Queries;
  readonly #id: string;
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #credit: number;
  #tokens = 0;
  /** Contents of the bucket when it was last asked. */
  #remaining = 0;
  #leased = Number.NEGATIVE_INFINITY;
  #emptyUntil = Number.NEGATIVE_INFINITY;
  #waiting: { resolve: (granted: boolean) => void; reject: (error: unknown) => void }[] = [];
  #fetching = false;
  #used = 0;

  constructor(store: Queries, id: string, rate: Rate, now: () => number) {
    this.#store = store;
    this.#id = id;
    this.#rate = rate;
    this.#credit = Math.max(1, Math.floor(rate.perSecond * CREDIT_S));
    this.#now = now;
  }

  isEmpty(): boolean {
    const time = this.#now();
    return this.#tokens < 1 && time < this.#emptyUntil && this.#emptyUntil - time <= 1000;
  }

  take(): boolean | Promise<boolean> {
    const time = this.#now();
    this.#used = time;
    if (Math.abs(time - this.#leased) > HOLD_MS) this.#tokens = Math.min(0, this.#tokens);
    if (this.#waiting.length === 0) {
      const onCredit = this.#remaining >= this.#rate.burst / 2 && this.#tokens > -this.#credit;
      if (this.#tokens >= 1 || onCredit) {
        this.#tokens -= 1;
        if (this.#tokens < 0 && !this.#fetching) void this.#fetch();
        return true;
      }
    }
    if (this.isEmpty()) return false;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#fetching) void this.#fetch();
    });
  }

  giveBack(): void {
    this.#tokens += 1;
  }

  /** The store knows already: only what is no longer used is forgotten. */
  async save(): Promise<boolean> {
    return this.#now() - this.#used <= FORGET_MS;
  }

  /** Leases tokens until nobody waits and nothing is owed. Never rejects: a failure rejects the calls that wait. */
  async #fetch(): Promise<void> {
    this.#fetching = true;
    while (this.#waiting.length > 0 || this.#tokens < 0) {
      const time = this.#now();
      const ahead = time - this.#leased < AHEAD_MS ? Math.floor((this.#rate.perSecond * AHEAD_MS) / 1000) : 0;
      const wanted = this.#waiting.length + Math.max(0, -this.#tokens) + ahead;
      try {
        const { granted, remaining } = await leaseTokens(this.#store, this.#id, this.#rate, wanted, time);
        this.#leased = this.#now();
        this.#tokens += granted;
        this.#remaining = remaining;
        while (this.#tokens >= 1 && this.#waiting.length > 0) {
          this.#tokens -= 1;
          this.#waiting.shift()?.resolve(true);
        }
        if (granted < wanted) {
          const refilled = ((1 - remaining) * 1000) / this.#rate.perSecond;
          this.#emptyUntil = this.#leased + Math.min(1000, Math.max(MIN_PAUSE_MS, refilled));
          for (const { resolve } of this.#waiting.splice(0)) resolve(false);
          break;
        }
      } catch (error) {
        this.#remaining = 0;
        for (const { reject } of this.#waiting.splice(0)) reject(error);
        break;
      }
    }
    this.#fetching = false;
  }
}
