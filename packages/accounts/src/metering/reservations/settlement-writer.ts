import type { Queries, Store, StoreValue, Survives } from "@swath/store";
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
const SETTLE_ONE = "select * from swath_settle_one_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";

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
    const number = [writer, sequence, now()];
    const one = asOne(entries);
    const rows = await (one === undefined
      ? store.query(SETTLE, [...number, JSON.stringify(entries.map(rowOf))])
      : store.query(SETTLE_ONE, [...number, ...valuesOf(one)]));
    return {
      payers: new Map(rows.map((row) => [String(row.payer), payerRow(row)])),
      wasWritten: rows.some(({ was_written: was }) => Boolean(was)),
    };
  };
}

const rowOf = ({ usage, cutOff = 0, minuteRequests = 0, ...rest }: Settlement) => ({
  ...rest,
  ...usage,
  cut_off: cutOff,
  minute_requests: minuteRequests,
});

const valuesOf = ({ reservation, cutOff = 0, minuteRequests = 0, usage, ...rest }: Settlement): StoreValue[] => [
  ...[rest.payer, rest.period, rest.minute, reservation ?? null, rest.reserved, rest.charged, cutOff],
  ...[usage?.day ?? null, usage?.route ?? null, usage?.key ?? null, rest.requests, minuteRequests],
];

/** The sum of settlements that change the same rows, such as a charge and the count of its request; undefined where they do not. */
function asOne([first, ...others]: readonly Settlement[]): Settlement | undefined {
  let sum = first;
  for (const each of others) {
    if (sum === undefined || !changeSameRows(sum, each)) return undefined;
    const { reservation, reserved } = sum.reservation === undefined ? each : sum;
    sum = {
      ...sum,
      ...(reservation === undefined ? {} : { reservation }),
      reserved,
      charged: sum.charged + each.charged,
      cutOff: (sum.cutOff ?? 0) + (each.cutOff ?? 0),
      requests: sum.requests + each.requests,
      minuteRequests: (sum.minuteRequests ?? 0) + (each.minuteRequests ?? 0),
    };
  }
  return sum;
}

function changeSameRows(a: Settlement, b: Settlement): boolean {
  return (
    a.payer === b.payer &&
    a.period === b.period &&
    a.minute === b.minute &&
    a.usage?.day === b.usage?.day &&
    a.usage?.route === b.usage?.route &&
    a.usage?.key === b.usage?.key &&
    (a.reservation === undefined || b.reservation === undefined) &&
    // the sum of a charge and of what is given back may be nothing, which counts no row
    Math.min(a.charged, b.charged) >= 0
  );
}

const payersOf = (settlements: readonly Settlement[]): readonly string[] => [
  ...new Set(settlements.map(({ payer }) => payer)),
];
