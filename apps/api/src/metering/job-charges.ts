import type { Queries } from "../state/store.ts";
import { applySettlements, type UsageKey } from "./unit-rows.ts";
import type { Units } from "./units.ts";

/** What a background job costs and who pays: a JSON value, stored with the job. */
export interface JobCharge {
  /** Of the job, and of its reservation where its payer's units are limited. */
  readonly id: string;
  readonly payer: string;
  readonly units: Units;
  /** Period and UTC minute in which the job was admitted. */
  readonly period: string;
  readonly minute: number;
  readonly usage?: UsageKey;
}

/** Lets a job's reservation last until the job itself is deleted, within the transaction that accepts the job. */
export async function keepReservation(db: Queries, { id }: JobCharge, expires: number): Promise<void> {
  await db.query("update unit_reservation set expires = $2 where id = $1", [id, expires]);
}

/** Charges a job that is done, or releases one that failed, within the transaction that ends it. */
export async function settleJob(db: Queries, charge: JobCharge, isDone: boolean): Promise<void> {
  const { id, payer, units, period, minute, usage } = charge;
  await applySettlements(db, [
    {
      payer,
      period,
      minute,
      reservation: id,
      reserved: units,
      charged: isDone ? units : 0,
      requests: 0,
      ...(usage === undefined ? {} : { usage }),
    },
  ]);
}
