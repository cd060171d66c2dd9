import type { Store } from "@swath/store";
import { MAX_SKEW_MINUTES } from "../units/balance.ts";
import { PAYER_COLUMNS, type PayerRow, payerRow } from "../units/unit-rows.ts";

/** Part of the minute's requests that a node leases at a time. */
const LEASED_PART = 0.01;
const FORGET_MINUTES = 10;

/** A clock that is behind counts in the minute that the row knows. Parameters: payer, minute, requests, newest minute that is believed. */
const LEASE = `insert into unit_payer(payer, period, spent, minute, minute_units, minute_requests)
  values ($1, '', 0, $2, 0, $3)
  on conflict(payer) do update set
    minute_units = case when $2 > unit_payer.minute or unit_payer.minute > $4 then 0 else unit_payer.minute_units end,
    minute_requests = case when $2 > unit_payer.minute or unit_payer.minute > $4 then $3
      else unit_payer.minute_requests + $3 end,
    minute = case when $2 > unit_payer.minute or unit_payer.minute > $4 then $2 else unit_payer.minute end
  returning ${PAYER_COLUMNS}`;

interface Lease {
  minute: number;
  left: number;
  /** Whether the minute has no more. */
  isSpent: boolean;
  loading: Promise<void> | undefined;
}

/**
 * Requests of a minute, leased by each node from the row of their payer: with two nodes an account gets its number
 * less at most 1 %, and never more.
 */
export class RequestLeases {
  readonly #store: Store;
  readonly #onRow: (row: PayerRow) => void;
  readonly #leases = new Map<string, Lease>();
  #swept = 0;

  /** @param onRow told what the store says of a payer. */
  constructor(store: Store, onRow: (row: PayerRow) => void) {
    this.#store = store;
    this.#onRow = onRow;
  }

  /** Takes a request of the minute. False: there is none left. */
  take(payer: string, perMinute: number, minute: number): boolean | Promise<boolean> {
    let lease = this.#leases.get(payer);
    if (lease === undefined) {
      this.#sweep(minute);
      lease = { minute, left: 0, isSpent: false, loading: undefined };
      this.#leases.set(payer, lease);
    }
    const isNewer = minute > lease.minute || lease.minute > minute + MAX_SKEW_MINUTES;
    if (isNewer) Object.assign(lease, { minute, left: 0, isSpent: false });
    if (lease.left > 0) {
      lease.left -= 1;
      return true;
    }
    return lease.isSpent ? false : this.#more(payer, lease, perMinute, minute);
  }

  async #more(payer: string, lease: Lease, perMinute: number, minute: number): Promise<boolean> {
    // a request that waited over the end of its minute counts in that of the lease: what is leased for its own is not kept
    lease.loading ??= this.#fetch(payer, lease, perMinute, lease.minute).finally(() => {
      lease.loading = undefined;
    });
    await lease.loading;
    return this.take(payer, perMinute, minute);
  }

  async #fetch(payer: string, lease: Lease, perMinute: number, minute: number): Promise<void> {
    const wanted = Math.max(1, Math.floor(perMinute * LEASED_PART));
    const [found] = await this.#store.query(LEASE, [payer, minute, wanted, minute + MAX_SKEW_MINUTES]);
    if (found === undefined) return;
    const row = payerRow(found);
    this.#onRow(row);
    // the row counts what was asked for: what it had before says how much of that there was
    const granted = Math.max(0, Math.min(wanted, perMinute - (row.minuteRequests - wanted)));
    if (lease.minute !== minute) return;
    lease.left += granted;
    lease.isSpent = granted < wanted;
  }

  #sweep(minute: number): void {
    if (this.#swept === minute) return;
    this.#swept = minute;
    for (const [payer, lease] of this.#leases) {
      if (Math.abs(minute - lease.minute) > FORGET_MINUTES) this.#leases.delete(payer);
    }
  }
}
