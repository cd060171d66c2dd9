import { randomUUID } from "node:crypto";
import type { Store } from "@swath/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startEngine } from "../../../test/tools/engines.ts";
import { hasPostgres } from "../../../test/tools/postgres-server.ts";
import { reserveByFunction } from "../src/metering/reservations/reserve-by-function.ts";
import { settlementWriter } from "../src/metering/reservations/settlement-writer.ts";
import { type Balance, refusalOf } from "../src/metering/units/balance.ts";
import type { LimitedPayer } from "../src/metering/units/payer.ts";
import { GUEST_LIMITS, TIERS, type TierLimits } from "../src/metering/units/tiers.ts";
import type { Settlement } from "../src/metering/units/unit-rows.ts";
import { toUnits, type Units } from "../src/metering/units/units.ts";
import { memoryStore, openStore } from "./open-store.ts";

const TIME = Date.parse("2026-06-16T12:00:05Z");
const MINUTE = Math.floor(TIME / 60_000);
const TABLES = ["unit_payer", "unit_reservation", "unit_count", "usage_batch"];

async function withDatabase(work: (store: Store, open: () => Promise<Store>) => Promise<void>): Promise<void> {
  const host = await startEngine("postgres");
  const settings = await host.fresh();
  const stores: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await openStore(settings);
    stores.push(store);
    return store;
  };
  try {
    await work(await open(), open);
  } finally {
    for (const store of stores) await store.close();
    await host.stop();
  }
}

const settlement: fc.Arbitrary<Settlement> = fc.record({
  payer: fc.constantFrom("account:a", "account:b", "owner"),
  period: fc.constantFrom("2026-06", "2026-07"),
  minute: fc.integer({ min: MINUTE - 2, max: MINUTE + 2 }),
  reservation: fc.option(fc.constantFrom("r1", "r2", "r3"), { nil: undefined }),
  reserved: fc.integer({ min: 0, max: 5000 }),
  charged: fc.integer({ min: -500, max: 5000 }),
  cutOff: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  requests: fc.integer({ min: 0, max: 3 }),
  minuteRequests: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  usage: fc.option(
    fc.record({
      day: fc.constantFrom("2026-06-16", "2026-07-01"),
      route: fc.constantFrom("x", "y"),
      key: fc.constant("k"),
    }),
    { nil: undefined },
  ),
}) as fc.Arbitrary<Settlement>;

const title = hasPostgres ? "functions of PostgreSQL" : "functions of PostgreSQL (skipped: it is not installed)";
describe.skipIf(!hasPostgres)(title, () => {
  test("settlements by one statement leave the rows that they leave in a transaction", () =>
    withDatabase(async (postgres) => {
      const sqlite = await memoryStore();
      const stores = [postgres, sqlite];
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(settlement, { minLength: 1, maxLength: 5 }), { maxLength: 4 }),
          async (batches) => {
            const found = [];
            for (const store of stores) {
              for (const table of TABLES) await store.exec(`delete from ${table}`);
              for (const id of ["r1", "r2"]) {
                await store.query(
                  "insert into unit_reservation(id, payer, period, units, slot, expires) values ($1, $2, $3, 9, 1, 0)",
                  [id, "account:a", "2026-06"],
                );
              }
              const write = settlementWriter(store, () => TIME);
              const writer = "writer";
              const told = [];
              for (const [i, settlements] of batches.entries()) {
                const { payers, wasWritten } = await write(
                  { writer, sequence: i + 1, entries: settlements },
                  "process",
                );
                told.push([[...payers.values()].sort((a, b) => (a.payer < b.payer ? -1 : 1)), wasWritten]);
                expect((await write({ writer, sequence: i + 1, entries: settlements }, "process")).wasWritten).toBe(
                  true,
                );
              }
              const rows = [];
              for (const [table, order] of [
                ["unit_payer", "payer"],
                ["unit_count", "payer, day, route"],
                ["unit_reservation", "id"],
              ])
                rows.push(await store.query(`select * from ${table} order by ${order}`));
              found.push({ told, rows: JSON.parse(JSON.stringify(rows)) });
            }
            expect(found[0]).toEqual(found[1]);
          },
        ),
        { numRuns: 60 },
      );
      await sqlite.close();
    }));

  test("units are reserved where the rule for one process reserves them, and refused for the same reason", () =>
    withDatabase(async (store) => {
      const limits = fc.constantFrom<TierLimits[]>(TIERS.free, TIERS.pro, GUEST_LIMITS, {
        ...TIERS.free,
        unitsPerMonth: toUnits(20),
        restrictedUnits: toUnits(40),
      });
      const cost = fc.constantFrom(0.01, 1, 5, 29.9, 30, 30.1, 99, 100.5).map(toUnits);
      const asked = fc.record({ cost, takesSlot: fc.boolean() });
      const start = fc.record({
        spent: fc.constantFrom(0, 9_990, 10_000, 14_970).map((units) => toUnits(units)),
        minute: fc.constantFrom(MINUTE - 1, MINUTE, MINUTE + 1, MINUTE + 2),
        minuteUnits: fc.constantFrom(0, 250, 299).map((units) => toUnits(units)),
      });
      await fc.assert(
        fc.asyncProperty(limits, start, fc.array(asked, { minLength: 1, maxLength: 8 }), async (given, from, all) => {
          for (const table of TABLES) await store.exec(`delete from ${table}`);
          await store.query("insert into unit_payer values ('p', '2026-06', $1, $2, $3, 0)", [
            from.spent,
            from.minute,
            from.minuteUnits,
          ]);
          const payer: LimitedPayer = { id: "p", key: "k", period: "month", limits: given };
          const isOver = MINUTE > from.minute || from.minute > MINUTE + 1;
          let balance: Balance = {
            period: "2026-06",
            spent: from.spent,
            reserved: 0,
            running: 0,
            minute: isOver ? MINUTE : from.minute,
            minuteUnits: isOver ? 0 : from.minuteUnits,
            minuteRequests: 0,
          };
          const requests = all.map((each) => ({ ...each, id: randomUUID(), payer }));
          const decided = await reserveByFunction(store, requests, { time: TIME, expires: TIME + 1000 });
          for (const { id, cost: units, takesSlot } of requests) {
            const refusal = refusalOf(balance, units, given, takesSlot);
            expect(decided.get(id)).toEqual({ balance, ...(refusal === undefined ? {} : { refusal }) });
            if (refusal !== undefined) continue;
            balance = {
              ...balance,
              reserved: balance.reserved + units,
              running: balance.running + (takesSlot ? 1 : 0),
              minuteUnits: balance.minuteUnits + units,
            };
          }
          const [row] = await store.query("select minute_units from unit_payer");
          if (balance.reserved > 0) expect(Number(row?.minute_units)).toBe(balance.minuteUnits);
          const [open] = await store.query(
            "select coalesce(sum(units), 0) as units, coalesce(sum(slot), 0) as slots from unit_reservation",
          );
          expect([Number(open?.units), Number(open?.slots)]).toEqual([balance.reserved, balance.running]);
        }),
        { numRuns: 150 },
      );
    }));

  test("a batch that is sent again while nobody knows of the first waits for it, and is written once", () =>
    withDatabase(async (first, open) => {
      const second = await open();
      const charge: Settlement = {
        payer: "p",
        period: "2026-06",
        minute: MINUTE,
        reserved: 0,
        charged: 100,
        requests: 0,
      };
      const given = JSON.stringify([{ ...charge, cut_off: 0, minute_requests: 0 }]);
      for (const [sequence, ends] of [
        [1, "commit"],
        [2, "commit"],
        [3, "rollback"],
      ] as const) {
        let again: Promise<readonly unknown[]> = Promise.resolve([]);
        await first
          .transaction("held", async (db) => {
            await db.query("select * from swath_settle_1('w', $1, 0, $2)", [sequence, given]);
            let isOver = false;
            again = second.query("select * from swath_settle_1('w', $1, 0, $2)", [sequence, given]).finally(() => {
              isOver = true;
            });
            // it is seen to wait for the first one's row
            for (let waits = 0; waits === 0; ) {
              const [row] = await db.query("select count(*) as waits from pg_locks where not granted");
              waits = Number(row?.waits);
            }
            expect(isOver).toBe(false);
            if (ends === "rollback") throw new Error("broken");
          })
          .catch((error: Error) => expect(error.message).toBe("broken"));
        expect(await again).toMatchObject([{ was_written: ends === "commit", spent: 100 * sequence }]);
      }
    }));

  test("concurrent requests and charges of nodes never wait for each other in a circle, and no slot is given twice", () =>
    withDatabase(async (one, open) => {
      const stores = [one, await open(), await open()];
      let sequence = 0;
      let mostRunning = 0;
      const node = async (store: Store, i: number): Promise<void> => {
        const write = settlementWriter(store, () => TIME);
        const writer = `w${i}`;
        for (let round = 0; round < 25; round++) {
          const payers = fc.sample(fc.shuffledSubarray(["a", "b", "c", "d"], { minLength: 2 }), 1)[0] ?? [];
          const requests = payers.map((id) => ({
            id: randomUUID(),
            payer: { id, key: "k", period: "month", limits: TIERS.free } as LimitedPayer,
            cost: 1 as Units,
            takesSlot: true,
          }));
          const decided = await reserveByFunction(store, requests, { time: TIME, expires: TIME + 1000 });
          for (const { refusal, balance } of decided.values())
            if (refusal === undefined) mostRunning = Math.max(mostRunning, balance.running + 1);
          const settlements = requests
            .filter(({ id }) => decided.get(id)?.refusal === undefined)
            .map(({ id, payer }) => ({
              payer: payer.id,
              period: "2026-06",
              minute: MINUTE,
              reservation: id,
              reserved: 1,
              charged: 1,
              requests: 0,
              usage: { day: "2026-06-16", route: "x", key: "k" },
            }));
          sequence += 1;
          if (settlements.length > 0) await write({ writer, sequence, entries: settlements }, "process");
        }
      };
      await Promise.all(stores.map(node));
      expect(mostRunning).toBe(2);
      expect(await one.query("select id from unit_reservation")).toEqual([]);
      const [sums] = await one.query(
        "select (select sum(units) from unit_count) as counts, (select sum(spent) from unit_payer) as payers",
      );
      expect(sums?.counts).toBe(sums?.payers);
    }));
});
