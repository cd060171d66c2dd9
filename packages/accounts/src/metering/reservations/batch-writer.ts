import type { Queries, Store, Survives } from "@swath/store";
import { applySettlements, type PayerRow, payerRow, readPayers, type Settlement } from "./unit-rows.ts";

/** Settlements that are written together, or not at all. */
export interface SettlementBatch {
  /** Of the writer's batches: the store takes each number once. */
  readonly sequence: number;
  readonly settlements: readonly Settlement[];
}

export interface WrittenBatch {
  /** What the store then holds of each payer. */
  readonly payers: ReadonlyMap<string, PayerRow>;
  /** Whether the store had taken the batch before, though nobody was told so. */
  readonly wasWritten: boolean;
}

/** Writes the batches of one writer, one after the other. */
export type BatchWriter = (batch: SettlementBatch, survives: Survives) => Promise<WrittenBatch>;

const BATCH = `insert into usage_batch(writer, sequence, written) values ($1, $2, $3)
  on conflict(writer) do update set sequence = $2, written = $3 where usage_batch.sequence < $2 returning sequence`;
/** One statement, so that a charge takes one round trip; the same as `applySettlements`. See `state/postgres-functions.ts`. */
const SETTLE = "select * from swath_settle_1($1, $2, $3, $4)";

/** @param writer name of the writer, which no other has. */
export function batchWriter(store: Store, writer: string, now: () => number): BatchWriter {
  return store.engine === "postgres" ? byFunction(store, writer, now) : inTransactions(store, writer, now);
}

function inTransactions(store: Store, writer: string, now: () => number): BatchWriter {
  return ({ sequence, settlements }, survives) => {
    const work = async (db: Queries): Promise<WrittenBatch> => {
      const isNew = (await db.query(BATCH, [writer, sequence, now()])).length > 0;
      if (isNew) return { payers: await applySettlements(db, settlements), wasWritten: false };
      return { payers: await readPayers(db, payersOf(settlements)), wasWritten: true };
    };
    return store.transaction(`units ${writer}`, work, { survives });
  };
}

/** The row of the writer's number is locked until the end: it makes the statement wait for one of the same batch whose connection broke. */
function byFunction(store: Store, writer: string, now: () => number): BatchWriter {
  return async ({ sequence, settlements }) => {
    const given = settlements.map(({ usage, cutOff = 0, minuteRequests = 0, ...rest }) => ({
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
