import { type Queries, readSetting, type TablesOf, writeSetting } from "@swath/store";
import { monthOf } from "../calendar.ts";

/** Reads of files in buckets whose reader pays. */
export interface Spent {
  readonly requests: number;
  readonly bytes: number;
}

/** The bounds of a month's cost; absent: no bound. */
export interface SpendingBounds {
  readonly maxRequests?: number;
  readonly maxBytes?: number;
}

/**
 * Whether the service spends. A stop lasts until the owner lifts it; from then on a whole allowance is granted again
 * for the rest of the month, so `spent` is what the month had cost at that moment.
 */
export type SpendingState =
  | { readonly state: "stopped"; readonly by: "owner" | "threshold"; readonly at: number }
  | { readonly state: "open"; readonly at: number; readonly month: string; readonly spent: Spent };

const NAME = "spending";
const NOTHING: Spent = { requests: 0, bytes: 0 };
const FRESH: SpendingState = { state: "open", at: 0, month: "", spent: NOTHING };

/** Table of the cost of months. */
export const SPENDING_TABLES: TablesOf = {
  part: "spending",
  migrations: [
    {
      version: 1,
      common: 2,
      text: `
create table spending(
  month text primary key,
  requests bigint not null,
  bytes bigint not null
);
`,
    },
  ],
};

/** All changes of the state run under this name, one after the other. */
export const SPENDING = "spending";

/** Reads whether the service spends. */
export async function readState(db: Queries): Promise<SpendingState> {
  const text = await readSetting(db, NAME);
  return text === undefined ? FRESH : (JSON.parse(text) as SpendingState);
}

/** Reads what a month has cost. */
export async function spentIn(db: Queries, month: string): Promise<Spent> {
  const [row] = await db.query("select requests, bytes from spending where month = $1", [month]);
  return row === undefined ? NOTHING : { requests: Number(row.requests), bytes: Number(row.bytes) };
}

/** Adds to what a month has cost. */
export async function addSpent(db: Queries, month: string, { requests, bytes }: Spent): Promise<void> {
  await db.query(
    `insert into spending(month, requests, bytes) values ($1, $2, $3)
      on conflict(month) do update set requests = spending.requests + $2, bytes = spending.bytes + $3`,
    [month, requests, bytes],
  );
}

/** Whether what the month has cost since the last lift is over a bound. */
export function isOver(state: SpendingState, month: string, spent: Spent, bounds: SpendingBounds): boolean {
  const before = state.state === "open" && state.month === month ? state.spent : NOTHING;
  const { maxRequests = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = bounds;
  return spent.requests - before.requests >= maxRequests || spent.bytes - before.bytes >= maxBytes;
}

/** Stops spending until the owner lifts the stop. */
export async function stopSpending(db: Queries, by: "owner" | "threshold", now: number): Promise<SpendingState> {
  const state: SpendingState = { state: "stopped", by, at: now };
  await writeSetting(db, NAME, JSON.stringify(state), now);
  return state;
}

/** Lifts the stop; the allowance counts again from here. */
export async function liftStop(db: Queries, now: number): Promise<SpendingState> {
  const month = monthOf(now);
  const state: SpendingState = { state: "open", at: now, month, spent: await spentIn(db, month) };
  await writeSetting(db, NAME, JSON.stringify(state), now);
  return state;
}
