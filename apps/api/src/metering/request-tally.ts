import { dayOf, minuteOf, type Payer, periodOf } from "./payer.ts";
import type { Settlement } from "./unit-rows.ts";

/** Counts requests for the usage of their payers, until they are written. */
export class RequestTally {
  readonly #now: () => number;
  readonly #ofMinute: boolean;
  #counts = new Map<string, { readonly settlement: Omit<Settlement, "requests">; requests: number }>();

  /** @param ofMinute whether they count in the minute too: they were not leased from it. */
  constructor(now: () => number, ofMinute: boolean) {
    this.#now = now;
    this.#ofMinute = ofMinute;
  }

  /** Counts one request. */
  add(payer: Payer, route: string): void {
    // nobody reads the usage of a guest
    if (payer.period === "token") return;
    const time = this.#now();
    const minute = minuteOf(time);
    const name = `${minute} ${payer.id} ${payer.key} ${route}`;
    const known = this.#counts.get(name);
    if (known !== undefined) {
      known.requests += 1;
      return;
    }
    const usage = { day: dayOf(time), route, key: payer.key };
    const period = periodOf(payer, time);
    this.#counts.set(name, {
      settlement: { payer: payer.id, period, minute, reserved: 0, charged: 0, usage },
      requests: 1,
    });
  }

  /** Takes what was counted since. */
  take(): readonly Settlement[] {
    if (this.#counts.size === 0) return [];
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts.map(({ settlement, requests }) => ({
      ...settlement,
      requests,
      ...(this.#ofMinute && settlement.payer !== "owner" ? { minuteRequests: requests } : {}),
    }));
  }
}
