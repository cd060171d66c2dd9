import type { Queries } from "@swath/store";
import type { JobCharges } from "@swath/store/jobs";
import { applySettlements, type Settlement, type UsageKey } from "../units/unit-rows.ts";
import type { Units } from "../units/units.ts";

/** The cost of a background job and its payer: a JSON value, stored with the job. */
export interface JobCharge {
  /** Id of the job, and of its reservation where its payer's units are limited. */
  readonly id: string;
  readonly payer: string;
  readonly units: Units;
  /** Period and UTC minute in which the job was admitted. */
  readonly period: string;
  readonly minute: number;
  readonly usage?: UsageKey;
  /** The bytes that its file may have: `units` are bytes. */
  readonly files?: Omit<JobCharge, "files">;
}

/**
 * Charges jobs in the transactions by which they begin and end.
 *
 * @param onUnits told what became of a job's units, in steps of 1/10,000, once that is committed.
 */
export function jobCharges(onUnits: (what: "charged" | "released", units: number) => void = () => {}): JobCharges {
  return {
    accept: (db, charge, until) => keepReservation(db, charge as JobCharge, until),
    async end(db, charge, fileBytes) {
      const job = charge as JobCharge;
      await settleJob(db, job, fileBytes);
      return () => {
        if (job.units > 0) onUnits(fileBytes === undefined ? "released" : "charged", job.units);
      };
    },
  };
}

/** Lets a job's reservation last until the job itself is deleted, within the transaction that accepts the job. */
async function keepReservation(db: Queries, { id, files }: JobCharge, expires: number): Promise<void> {
  for (const each of files === undefined ? [id] : [id, files.id]) {
    await db.query("update unit_reservation set expires = $2 where id = $1", [each, expires]);
  }
}

/**
 * Charges a job that is done, or releases one that failed, within the transaction that ends it.
 *
 * @param fileBytes of its file; undefined where it failed.
 */
async function settleJob(db: Queries, charge: JobCharge, fileBytes: number | undefined): Promise<void> {
  const { files, units } = charge;
  await applySettlements(db, [
    settlementOf(charge, fileBytes === undefined ? 0 : units),
    ...(files === undefined ? [] : [settlementOf(files, Math.min(fileBytes ?? 0, files.units))]),
  ]);
}

function settlementOf({ id, payer, units, period, minute, usage }: JobCharge, charged: number): Settlement {
  return {
    payer,
    period,
    minute,
    reservation: id,
    reserved: units,
    charged,
    requests: 0,
    ...(usage === undefined ? {} : { usage }),
  };
}
