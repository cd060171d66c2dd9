import type { Queries, StoreRow, StoreValue } from "@swath/store";
import type { Payer } from "./payer.ts";

/** The end of one reservation, or of units that were reserved in memory alone. Units are steps of 1/10,000. */
export interface Settlement {
  readonly payer: string;
  /** Period and UTC minute of the request's admission. */
  readonly period: string;
  readonly minute: number;
  /** Row of the reservation in the store; absent: there is none. */
  readonly reservation?: string;
  /** Units of that row. */
  readonly reserved: number;
  /** Units to charge; below 0: to give back what was charged before; 0: the reservation is released. */
  readonly charged: number;
  /** Units that stay spent in the minute though they are not charged: those of work that its client cut off. */
  readonly cutOff?: number;
  /** Requests to count in the usage. */
  readonly requests: number;
  /** Requests to count in the minute, unless they were leased from it. */
  readonly minuteRequests?: number;
  /** Key under which the usage counts it; absent: it does not. */
  readonly usage?: UsageKey;
}

/** A row of the usage of a payer. */
export interface UsageKey {
  /** UTC day of the request's admission. */
  readonly day: string;
  /** Operation id. */
  readonly route: string;
  readonly key: string;
}

/** The row of a payer in the store. */
export interface PayerRow {
  readonly payer: string;
  readonly period: string;
  readonly spent: number;
  readonly minute: number;
  readonly minuteUnits: number;
  readonly minuteRequests: number;
}

export function payerRow(row: StoreRow): PayerRow {
  return {
    payer: String(row.payer),
    period: String(row.period),
    spent: Number(row.spent),
    minute: Number(row.minute),
    minuteUnits: Math.max(0, Number(row.minute_units)),
    minuteRequests: Math.max(0, Number(row.minute_requests)),
  };
}

export const PAYER_COLUMNS = "payer, period, spent, minute, minute_units, minute_requests";

const ADD_COUNT = `on conflict(payer, day, route, key_id) do update set
  units = unit_count.units + excluded.units, requests = unit_count.requests + excluded.requests`;

/**
 * A later period begins with what is added; what belongs to an earlier one than the row's is in the counts alone.
 * A minute that is over is not corrected.
 */
const ADD_PAYER = `on conflict(payer) do update set
  spent = case when unit_payer.period = excluded.period then unit_payer.spent + excluded.spent
    when unit_payer.period < excluded.period then excluded.spent else unit_payer.spent end,
  period = case when unit_payer.period < excluded.period then excluded.period else unit_payer.period end,
  minute_units = case when unit_payer.minute = excluded.minute then unit_payer.minute_units + excluded.minute_units
    when unit_payer.minute < excluded.minute then excluded.minute_units else unit_payer.minute_units end,
  minute_requests = case
    when unit_payer.minute = excluded.minute then unit_payer.minute_requests + excluded.minute_requests
    when unit_payer.minute < excluded.minute then excluded.minute_requests else unit_payer.minute_requests end,
  minute = case when unit_payer.minute < excluded.minute then excluded.minute else unit_payer.minute end
  returning ${PAYER_COLUMNS}`;

/** Reads the rows of payers, by their ids. */
export async function readPayers(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, PayerRow>> {
  const rows = await queryIn(db, (list) => `select ${PAYER_COLUMNS} from unit_payer where payer in (${list})`, ids);
  return new Map(rows.map((row) => [String(row.payer), payerRow(row)]));
}

/** Rows of one statement: few sizes, so that there are few statements to prepare. */
const SIZES = [64, 16, 4, 1];

/** Makes a statement that inserts rows: by as few as `SIZES` allow, in their order. */
function inserter(
  head: string,
  columns: number,
  tail: string,
): (db: Queries, rows: readonly (readonly StoreValue[])[]) => Promise<readonly StoreRow[]> {
  const texts = new Map<number, string>();
  const textOf = (size: number): string => {
    let text = texts.get(size);
    if (text === undefined) {
      const row = (n: number) => Array.from({ length: columns }, (_, i) => `$${n * columns + i + 1}`).join(", ");
      const values = Array.from({ length: size }, (_, n) => `(${row(n)})`).join(", ");
      text = `${head} values ${values} ${tail}`;
      texts.set(size, text);
    }
    return text;
  };
  return async (db, rows) => {
    const found: StoreRow[] = [];
    for (let done = 0; done < rows.length; ) {
      const size = SIZES.find((each) => each <= rows.length - done) ?? 1;
      found.push(...(await db.query(textOf(size), rows.slice(done, done + size).flat())));
      done += size;
    }
    return found;
  };
}

/** Runs a statement over lists of at most 64 values; `in` of the text is replaced by the parameters. */
export async function queryIn(
  db: Queries,
  text: (list: string) => string,
  values: readonly string[],
  before: readonly StoreValue[] = [],
): Promise<readonly StoreRow[]> {
  const found: StoreRow[] = [];
  for (let done = 0; done < values.length; ) {
    const size = SIZES.find((each) => each <= values.length - done) ?? 1;
    const list = Array.from({ length: size }, (_, i) => `$${before.length + i + 1}`).join(", ");
    found.push(...(await db.query(text(list), [...before, ...values.slice(done, done + size)])));
    done += size;
  }
  return found;
}

/** Sums rows that have the same key. */
function summed<T>(
  rows: readonly T[],
  keyOf: (row: T) => readonly StoreValue[],
  numbersOf: (row: T) => readonly number[],
): readonly (readonly StoreValue[])[] {
  const sums = new Map<string, { key: readonly StoreValue[]; numbers: number[] }>();
  for (const row of rows) {
    const key = keyOf(row);
    const name = JSON.stringify(key);
    const known = sums.get(name);
    if (known === undefined) sums.set(name, { key, numbers: [...numbersOf(row)] });
    else
      numbersOf(row).forEach((value, i) => {
        known.numbers[i] = (known.numbers[i] ?? 0) + value;
      });
  }
  // every node takes rows in the same order, so that two never wait for each other
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { key, numbers }]) => [...key, ...numbers]);
}

/** Rows in rounds of which each has a payer once: a statement cannot change a row twice. */
function rounds(rows: readonly (readonly StoreValue[])[]): readonly (readonly StoreValue[])[][] {
  const made: (readonly StoreValue[])[][] = [];
  const seen = new Map<StoreValue | undefined, number>();
  for (const row of rows) {
    const round = seen.get(row[0]) ?? 0;
    seen.set(row[0], round + 1);
    made[round] ??= [];
    made[round].push(row);
  }
  return made;
}

const insertCounts = inserter("insert into unit_count(payer, day, route, key_id, units, requests)", 6, ADD_COUNT);
const insertPayers = inserter(
  "insert into unit_payer(payer, period, minute, spent, minute_units, minute_requests)",
  6,
  ADD_PAYER,
);

/**
 * Ends reservations, charges, and counts, within a transaction.
 *
 * @returns what the store then holds of each payer.
 */
export async function applySettlements(
  db: Queries,
  settlements: readonly Settlement[],
): Promise<ReadonlyMap<string, PayerRow>> {
  const ids = settlements.flatMap(({ reservation }) => (reservation === undefined ? [] : [reservation]));
  const open = new Set(
    (await queryIn(db, (list) => `delete from unit_reservation where id in (${list}) returning id`, ids)).map((row) =>
      String(row.id),
    ),
  );
  const counted = settlements.filter(({ usage, charged, requests }) => usage && (charged !== 0 || requests !== 0));
  await insertCounts(
    db,
    summed(
      counted,
      ({ payer, usage }) => [payer, usage?.day ?? "", usage?.route ?? "", usage?.key ?? ""],
      ({ charged, requests }) => [charged, requests],
    ),
  );
  // the reservation of a dead node has expired: its units are back already
  const minuteUnits = ({ reservation, reserved, charged, cutOff = 0 }: Settlement): number =>
    charged + cutOff - (reservation !== undefined && open.has(reservation) ? reserved : 0);
  const changes = summed(
    settlements,
    ({ payer, period, minute }) => [payer, period, minute],
    (each) => [each.charged, minuteUnits(each), each.minuteRequests ?? 0],
  );
  const payers = new Map<string, PayerRow>();
  for (const round of rounds(changes)) {
    for (const row of (await insertPayers(db, round)).map(payerRow)) payers.set(row.payer, row);
  }
  return payers;
}

const SPENT_IN = `select coalesce(sum(units), 0) as spent from unit_count
  where payer = $1 and day between $2 and $3`;

/**
 * Units of a payer in a period, from its counts: read where its row is of another month, which has ended since or
 * begins by another node's clock. Days and tokens have no counts.
 */
export async function spentInPeriod(db: Queries, payer: Payer, period: string): Promise<number> {
  if (payer.period !== "month") return 0;
  const [row] = await db.query(SPENT_IN, [payer.id, `${period}-01`, `${period}-31`]);
  return Number(row?.spent ?? 0);
}
