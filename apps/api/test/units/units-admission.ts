import { type Admission, fromUnits, toUnits, type Units } from "@swath/accounts";
import { ProblemError } from "../../src/errors/problems.ts";

/** An admission of tests: one account in memory whose units are reserved, then charged or given back. */
export class UnitsAdmission implements Admission {
  readonly #limit: Units;
  arrived = 0;
  reserved: number = toUnits(0);
  spent: number = toUnits(0);
  /** The events in order. */
  readonly events: string[] = [];
  failNext: "charge" | "release" | undefined;

  constructor(limit: Units) {
    this.#limit = limit;
  }

  async arrive(): Promise<void> {
    this.arrived++;
  }

  async admit(
    _identity: unknown,
    { route, cost }: { readonly route: string; readonly cost: Units },
  ): ReturnType<Admission["admit"]> {
    if (this.spent + this.reserved + cost > this.#limit) {
      throw new ProblemError("quota-exhausted", "No units are left.", { retryAfter: 60 });
    }
    this.reserved += cost;
    this.events.push(`admit ${route} ${fromUnits(cost)}`);
    let isOpen = true;
    const close = (event: "charge" | "release", units: Units): void => {
      this.events.push(`${event} ${fromUnits(units)}`);
      if (this.failNext === event) {
        this.failNext = undefined;
        throw new Error(`${event} fails`);
      }
      if (!isOpen) throw new Error("settled twice");
      isOpen = false;
      this.reserved -= cost;
    };
    return {
      charge: async (units) => {
        close("charge", units);
        this.spent += units;
        const none = Number.POSITIVE_INFINITY as Units;
        const limits = {
          unitsPerMonth: this.#limit,
          unitsPerMinute: none,
          requestsPerMinute: 600,
          concurrentRequests: none,
          unitsPerRequest: toUnits(100),
          restrictedUnits: toUnits(0),
          keys: 0,
        };
        const payer = { id: "account:ann", key: "key", period: "month", limits } as const;
        const used = { spent: this.spent, reserved: this.reserved, running: 0 };
        const balance = { period: "2026-06", ...used, minute: 0, minuteUnits: 0, minuteRequests: 0 };
        return { payer, spent: units, balance, time: 0 };
      },
      release: async () => close("release", cost),
    };
  }
}
