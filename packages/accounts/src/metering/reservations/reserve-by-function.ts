import type { Store, StoreRow } from "@swath/store";
import { minuteOf } from "../../calendar.ts";
import { type Balance, currentLimits, type UnitRefusal } from "../units/balance.ts";
import type { LimitedPayer } from "../units/payer.ts";
import { periodOf } from "../units/payer.ts";
import type { Units } from "../units/units.ts";

/** Units that a payer wants to reserve under an id of its own. */
export interface AskedUnits {
  readonly id: string;
  readonly payer: LimitedPayer;
  readonly cost: Units;
  readonly takesSlot: boolean;
}

/** The decision of the store. */
export interface Decision {
  /** The reason why the units are not reserved; absent: they are. */
  readonly refusal?: UnitRefusal;
  /** Before it. */
  readonly balance: Balance;
}

const RESERVE = "select * from swath_reserve_1($1, $2, $3, $4)";

/**
 * Reserves units of several requests in one statement, exact over all nodes.
 *
 * @param time epoch milliseconds.
 * @param expires when what is not settled by then is void, epoch milliseconds.
 * @returns decisions by the ids of what was asked.
 */
export async function reserveByFunction(
  store: Store,
  asked: readonly AskedUnits[],
  { time, expires }: { readonly time: number; readonly expires: number },
): Promise<ReadonlyMap<string, Decision>> {
  const given = asked.map((each) => toRow(each, time));
  const rows = await store.query(RESERVE, [time, minuteOf(time), expires, JSON.stringify(given)]);
  return new Map(rows.map((row) => [String(row.id), decisionOf(row)]));
}

/** A limit that there is not. */
const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

function toRow({ id, payer, cost, takesSlot }: AskedUnits, time: number) {
  const { limits } = payer;
  const normal = currentLimits(Number.NEGATIVE_INFINITY, limits);
  const restricted = currentLimits(limits.unitsPerMonth, limits);
  return {
    id,
    payer: payer.id,
    period: periodOf(payer, time),
    is_monthly: payer.period === "month",
    cost,
    slot: takesSlot ? 1 : 0,
    month_units: limits.unitsPerMonth,
    restricted_units: limits.restrictedUnits,
    minute_units: orNull(normal.unitsPerMinute),
    restricted_minute_units: orNull(restricted.unitsPerMinute),
    concurrent: orNull(normal.concurrentRequests),
    restricted_concurrent: orNull(restricted.concurrentRequests),
    request_units: orNull(normal.unitsPerRequest),
    restricted_request_units: orNull(restricted.unitsPerRequest),
  };
}

const REFUSALS: readonly UnitRefusal[] = ["too-expensive", "period-spent", "minute-spent", "concurrency"];

function decisionOf(row: StoreRow): Decision {
  const balance = {
    period: String(row.period),
    spent: Number(row.spent),
    reserved: Number(row.reserved),
    running: Number(row.running),
    minute: Number(row.minute),
    minuteUnits: Number(row.minute_units),
    minuteRequests: Number(row.minute_requests),
  };
  const refusal = REFUSALS.find((each) => each === row.refusal);
  return refusal === undefined ? { balance } : { balance, refusal };
}
