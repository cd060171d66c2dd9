import type { Store } from "@swath/store";
import type { JobQueue, JobRecord } from "@swath/store/jobs";
import { storedJobs } from "@swath/store/jobs";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../../test/tools/engines.ts";
import { accountIdentity, type UnitNode, unitNode } from "../../../../../test/tools/unit-nodes.ts";
import { ownerIdentity } from "../../../src/identity.ts";
import type { HeldUnits } from "../../../src/metering/answers/admission.ts";
import { jobCharges } from "../../../src/metering/reservations/job-charges.ts";
import { toUnits } from "../../../src/metering/units/units.ts";
import { openStore } from "../../open-store.ts";

const LEASE = 10_000;
const DAY = 86_400_000;
const START = Date.parse("2026-06-16T12:00:05Z");
const ann = accountIdentity("ann");

interface Parts {
  readonly store: Store;
  readonly clock: { now: number };
  readonly node: UnitNode;
  readonly queue: JobQueue;
  /** Reports of the queue. */
  readonly reported: string[];
  submit(units: number): Promise<JobRecord>;
  spent(): Promise<number>;
}

describeEngines("units of background jobs", (host) => {
  const withParts = async (work: (parts: Parts) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    const clock = { now: START };
    const now = (): number => clock.now;
    const node = unitNode(store, { now });
    const reported: string[] = [];
    const queue = storedJobs(store, { now, charges: jobCharges((what, units) => reported.push(`${what} ${units}`)) });
    const hold = async (units: number): Promise<HeldUnits> =>
      (await node.admission.hold?.(ann, { route: "createProcessJob", cost: toUnits(units) })) as HeldUnits;
    try {
      await work({
        store,
        clock,
        node,
        queue,
        reported,
        submit: async (units) =>
          queue.submit({ owner: "ann", kind: "process", request: {}, charge: (await hold(units)).charge }),
        spent: async () => (await node.accounts.usage("account:ann", "2026-06")).units / 10_000,
      });
    } finally {
      await node.accounts.close();
      await store.close();
    }
  };
  const reservations = (store: Store) => store.query("select units from unit_reservation");

  test("a job is charged once, by the worker that finishes it", () =>
    withParts(async ({ queue, clock, submit, spent, store, reported }) => {
      const job = await submit(5);
      expect(job.charge).toMatchObject({ id: job.id, payer: "account:ann", units: 50_000 });
      await queue.claim("first", LEASE);
      clock.now += LEASE + 1;
      expect(await queue.claim("second", LEASE)).toMatchObject({ id: job.id, charge: job.charge });
      expect(await queue.finish(job.id, "first", { result: 1 })).toBe(false);
      expect(await spent()).toBe(0);
      expect(await queue.finish(job.id, "second", { result: 1 })).toBe(true);
      expect(await queue.finish(job.id, "second", { result: 1 })).toBe(false);
      expect(await queue.finish(job.id, "first", { error: 1 })).toBe(false);
      expect(await spent()).toBe(5);
      expect(await reservations(store)).toEqual([]);
      expect(reported).toEqual(["charged 50000"]);
    }));

  test("a job that fails is released, and so is one that ended its workers", () =>
    withParts(async ({ queue, clock, submit, spent, store, reported }) => {
      const failing = await submit(5);
      await queue.claim("w", LEASE);
      expect(await queue.finish(failing.id, "w", { error: { code: "internal" } })).toBe(true);
      await submit(7);
      expect(await reservations(store)).toEqual([{ units: 70_000 }]);
      for (let i = 0; i < 6; i++) {
        await queue.claim(`w${i}`, LEASE);
        clock.now += LEASE + 1;
      }
      expect(await reservations(store)).toEqual([]);
      expect(await spent()).toBe(0);
      expect(reported).toEqual(["released 50000", "released 70000"]);
    }));

  test("jobs that wait hold their units, and no concurrent request", () =>
    withParts(async ({ queue, clock, submit, spent, node }) => {
      for (let i = 0; i < 3; i++) await submit(100);
      await expect(submit(1)).rejects.toMatchObject({
        code: "rate",
        facts: { limits: { unitsPerMinute: 300, unitsSpentThisMinute: 300 } },
      });
      clock.now += 60_000;
      await node.spend(ann, 1);
      const open = [await node.admit(ann, 1), await node.admit(ann, 1)];
      for (const each of open) await each.release();
      // longer than a request may reserve
      clock.now += 3_600_000;
      await node.accounts.removeExpired();
      for (let i = 0; i < 3; i++) {
        const job = await queue.claim("w", LEASE);
        await queue.finish(job?.id ?? "", "w", { result: 1 });
      }
      expect(await spent()).toBe(301);
      expect((await node.spend(ann, 1)).remaining).toBe(9698);
    }));

  test("what jobs hold cannot be spent by others", () =>
    withParts(async ({ queue, clock, submit, node }) => {
      const jobs: JobRecord[] = [];
      for (let i = 0; i < 19; i++) {
        jobs.push(await submit(100));
        clock.now += 60_000;
      }
      for (let i = 0; i < 131; i++) {
        if (i < 81) await node.spend(ann, 100);
        else await node.spend(ann, 30);
        clock.now += 60_000;
      }
      // 1,900 held and 9,600 spent: the allowance of 5,000 has 3,500 left
      await node.spend(ann, 30);
      const first = jobs[0] as JobRecord;
      await queue.claim("w", LEASE);
      await queue.finish(first.id, "w", { error: 1 });
      clock.now += 60_000;
      expect((await node.spend(ann, 30)).remaining).toBe(340);
    }));

  test("a reservation ends with its job, which is deleted after a day", () =>
    withParts(async ({ queue, clock, submit, store, node }) => {
      await submit(5);
      clock.now += DAY - 1;
      expect(await node.accounts.removeExpired()).toBe(0);
      clock.now += 2;
      expect(await queue.removeExpired(clock.now - DAY)).toHaveLength(1);
      expect(await node.accounts.removeExpired()).toBe(50_000);
      expect(await reservations(store)).toEqual([]);
    }));

  test("jobs of the owner are counted when they are done, and reserve nothing", () =>
    withParts(async ({ queue, node, store }) => {
      const held = await node.admission.hold?.(ownerIdentity("mine"), {
        route: "createProcessJob",
        cost: toUnits(900),
      });
      const job = await queue.submit({
        owner: "mine",
        kind: "process",
        request: {},
        charge: (held as HeldUnits).charge,
      });
      expect(await reservations(store)).toEqual([]);
      expect((await node.accounts.usage("owner", "2026-06")).units).toBe(0);
      await queue.claim("w", LEASE);
      await queue.finish(job.id, "w", { result: 1 });
      expect(await node.accounts.usage("owner", "2026-06")).toMatchObject({
        units: 9_000_000,
        byKey: [{ id: "mine", units: 9_000_000, requests: 0 }],
      });
    }));
});
