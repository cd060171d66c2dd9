import type { Queries, Store, Survives } from "@swath/store";
import { type Batch, takeNumber } from "../batches.ts";
import { applySettlements, type PayerRow, payerRow, readPayers, type Settlement } from "../units/unit-rows.ts";

export interface WrittenBatch {
  /** The row of each payer in the store afterwards. */
  readonly payers: ReadonlyMap<string, PayerRow>;
  /** Whether the store had taken the batch before, though nobody was told so. */
  readonly wasWritten: boolean;
}

/** Writes batches of settlements. */
export type SettlementWriter = (batch: Batch<Settlement>, survives: Survives) => Promise<WrittenBatch>;

/** One statement, so that a charge takes one round trip; the same as `applySettlements`. See `postgres-functions.ts`. */
const SETTLE = "select * from swath_settle_1($1, $2, $3, $4)";

export function settlementWriter(store: Store, now: () => number): SettlementWriter {
  return store.engine === "postgres" ? byFunction(store, now) : inTransactions(store, now);
}

function inTransactions(store: Store, now: () => number): SettlementWriter {
  return (batch, survives) => {
    const { writer, entries } = batch;
    const work = async (db: Queries): Promise<WrittenBatch> =>
      (await takeNumber(db, batch, now()))
        ? { payers: await applySettlements(db, entries), wasWritten: false }
        : { payers: await readPayers(db, payersOf(entries)), wasWritten: true };
    return store.transaction(`units ${writer}`, work, { survives });
  };
}

/** The row of the writer's number is locked until the end: it makes the statement wait for one of the same batch whose connection broke. */
function byFunction(store: Store, now: () => number): SettlementWriter {
  return async ({ writer, sequence, entries }) => {
    const given = entries.map(({ usage, cutOff = 0, minuteRequests = 0, ...rest }) => ({
      ...rest,
      ...usage,
      cut_off: cutOff,
      minute_requests: minuteRequests,
    }));
    const rows = await store.query(SETTLE, [writer, sequence, now(), JSON.stringify(given)]);
    return {
      payers: new Map(rows.map((row) => [String(row.payer), payerRow(row)])),
      wasWritten: rows.some(({ was_written: was }) => Boolean(was)),
    };
  };
}

const payersOf = (settlements: readonly Settlement[]): readonly string[] => [
  ...new Set(settlements.map(({ payer }) => payer)),
];
