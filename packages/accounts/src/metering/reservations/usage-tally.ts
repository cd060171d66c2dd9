import { dayOf, minuteOf } from "../../calendar.ts";
import { type Payer, periodOf } from "../units/payer.ts";
import type { Settlement } from "../units/unit-rows.ts";

type Count = Omit<Settlement, "requests" | "charged">;

/**
 * Counts requests, and units of payers who have no limit of them, for the usage of their payers, until they are written.
 * Nobody waits for these counts: a process that is killed loses what it has counted since they were written.
 */
export class UsageTally {
  readonly #now: () => number;
  readonly #ofMinute: boolean;
  #counts = new Map<string, { readonly count: Count; requests: number; charged: number }>();

  /** @param ofMinute whether requests count in the minute too: they were not leased from it. */
  constructor(now: () => number, ofMinute: boolean) {
    this.#now = now;
    this.#ofMinute = ofMinute;
  }

  /**
   * Counts in the usage of a payer.
   *
   * @param what.time of the admission, epoch milliseconds; default: now.
   * @param what.charged units; below 0 to take back what was counted before.
   */
  add(
    payer: Payer,
    route: string,
    {
      time = this.#now(),
      requests = 0,
      charged = 0,
    }: { readonly time?: number; readonly requests?: number; readonly charged?: number },
  ): void {
    // nobody reads the usage of a guest
    if (payer.period !== "month") return;
    const minute = minuteOf(time);
    const name = `${minute} ${payer.id} ${payer.key} ${route}`;
    let known = this.#counts.get(name);
    if (known === undefined) {
      const usage = { day: dayOf(time), route, key: payer.key };
      const count = { payer: payer.id, period: periodOf(payer, time), minute, reserved: 0, usage };
      known = { count, requests: 0, charged: 0 };
      this.#counts.set(name, known);
    }
    known.requests += requests;
    known.charged += charged;
  }

  /** Takes what was counted since. */
  take(): readonly Settlement[] {
    if (this.#counts.size === 0) return [];
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts.map(({ count, requests, charged }) => ({
      ...count,
      charged,
      requests,
      ...(this.#ofMinute && count.payer !== "owner" ? { minuteRequests: requests } : {}),
    }));
  }
}
