import type { Store } from "@swath/store";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../../test/tools/engines.ts";
import { accountIdentity, guestIdentity, told, type UnitNode, unitNode } from "../../../../../test/tools/unit-nodes.ts";
import { LimitError } from "../../../src/errors.ts";
import { ownerIdentity } from "../../../src/identity.ts";
import { DEFAULT_LIMITS } from "../../../src/metering/counters/limit-settings.ts";
import { TIERS } from "../../../src/metering/units/tiers.ts";
import { toUnits } from "../../../src/metering/units/units.ts";
import { openStore } from "../../open-store.ts";

const START = Date.parse("2026-06-16T12:00:05Z");
const MINUTE = 60_000;

interface Bench {
  readonly store: Store;
  readonly clock: { now: number };
  open(): UnitNode;
}

async function refusalOf(work: Promise<unknown>): Promise<LimitError> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof LimitError) return error;
  throw new Error(`Expected a refusal, got ${error}.`);
}

const ann = accountIdentity("ann");

describeEngines("units", (host, engine) => {
  /** Whether several nodes may share the store. */
  const many = engine === "postgres";
  const bench = async (work: (bench: Bench) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    const nodes: UnitNode[] = [];
    const clock = { now: START };
    try {
      await work({
        store,
        clock,
        open() {
          const node = unitNode(store, { now: () => clock.now });
          nodes.push(node);
          return node;
        },
      });
    } finally {
      for (const { accounts } of nodes) await accounts.close();
      await store.close();
    }
  };
  const spent = async (node: UnitNode, payer = "account:ann", month = "2026-06"): Promise<number> =>
    (await node.accounts.usage(payer, month)).units / 10_000;

  test("answers say what they cost and what is left, of the month and of the minute", { tags: ["UN4"] }, async () => {
    await bench(async ({ open, clock }) => {
      const node = open();
      const receipt = await (await node.admit(ann, 1.25)).charge(toUnits(1.25));
      expect(receipt).toMatchObject({ spent: 12_500, time: START, payer: { id: "account:ann", limits: TIERS.free } });
      expect(told(receipt)).toEqual({
        spent: 1.25,
        remaining: 9998.75,
        minute: 298.75,
        period: "month",
        limits: { isRestricted: false, unitsPerMinute: 3_000_000, concurrentRequests: 2, unitsPerRequest: 1_000_000 },
      });
      expect(await spent(node)).toBe(1.25);

      // what is released costs nothing, in the minute too
      await (await node.admit(ann, 100)).release();
      expect((await node.spend(ann, 98.75)).minute).toBe(200);
      expect((await node.spend(ann, 100)).minute).toBe(100);
      await node.spend(ann, 100);
      const refused = await refusalOf(node.admit(ann, 0.01));
      expect(refused).toMatchObject({
        code: "rate",
        facts: {
          retryAfter: 55,
          limits: { unitsPerMinute: 300, unitsSpentThisMinute: 300, requestedUnits: 0.01 },
          policy: "units-minute",
        },
      });
      expect(told(refused.facts.receipt)).toMatchObject({ spent: 0, minute: 0 });
      clock.now += 55_000;
      await node.spend(ann, 0.01);
      expect(await spent(node)).toBe(300.01);
    });
  });

  test("units are written with the requests that they are of", { tags: ["UN4"] }, async () => {
    await bench(async ({ open, store }) => {
      const node = open();
      for (let requests = 1; requests <= 3; requests++) {
        const admitted = await node.admit(ann, 1);
        await admitted.charge(toUnits(1));
        // what another node reads, which has not counted it
        const rows = await store.query("select sum(units) as units, sum(requests) as requests from unit_count");
        expect(rows.map((row) => [Number(row.units), Number(row.requests)])).toEqual([[requests * 10_000, requests]]);
      }
    });
  });

  test("a request over the maximum is refused for good", { tags: ["UN3"] }, async () => {
    await bench(async ({ open }) => {
      expect(await refusalOf(open().admit(ann, 100.0001))).toMatchObject({
        code: "cost",
        facts: { limits: { maxUnits: 100, requestedUnits: 100.0001 }, unitsEstimated: 100.0001 },
      });
      await (await open().admit(accountIdentity("pro", "pro"), 1000)).release();
    });
  });

  test.runIf(many)("concurrency is exact over two nodes", { tags: ["UN5"] }, async () => {
    await bench(async ({ open }) => {
      const nodes = [open(), open()] as const;
      for (let round = 0; round < 5; round++) {
        const asked = Array.from({ length: 12 }, (_, i) => nodes[i % 2]?.admit(ann, 0.1));
        const results = await Promise.allSettled(asked);
        const admitted = results.filter((each) => each.status === "fulfilled");
        expect(admitted).toHaveLength(2);
        for (const each of results) {
          if (each.status === "rejected")
            expect(each.reason).toMatchObject({ code: "concurrency", facts: { retryAfter: 1 } });
        }
        await Promise.all(admitted.map(({ value }, i) => (i === 0 ? value?.charge(toUnits(0.1)) : value?.release())));
      }
      expect(await spent(nodes[0])).toBe(0.5);
    });
  });

  test("concurrency is exact on one node, and the refusal names it", async () => {
    await bench(async ({ open }) => {
      const node = open();
      const [first, second] = [await node.admit(ann, 1), await node.admit(ann, 1)];
      const refused = await refusalOf(node.admit(ann, 1));
      expect(refused).toMatchObject({
        code: "concurrency",
        facts: {
          retryAfter: 1,
          limits: { concurrentRequests: 2, runningRequests: 2 },
          policy: "concurrent",
          receipt: { balance: { running: 2 } },
        },
      });
      await first.release();
      await node.spend(ann, 1);
      await second.charge(toUnits(1));
      expect(await spent(node)).toBe(2);
    });
  });

  test.runIf(many)("two nodes admit the minute's requests but for 1 %, never more", { tags: ["UN5"] }, async () => {
    await bench(async ({ open, clock }) => {
      const nodes = [open(), open()] as const;
      let passed = 0;
      for (let i = 0; i < 1300; i++) {
        const node = nodes[i % 2 === 0 || i % 5 === 0 ? 0 : 1] as UnitNode;
        const identity = accountIdentity("ann", "free", `key-${i % 2}`);
        const problem = await node.admission.arrive(identity, "other", "getSearch").then(
          () => undefined,
          (error: unknown) => error,
        );
        if (problem === undefined) passed += 1;
        else
          expect(problem).toMatchObject({
            code: "rate",
            facts: { limits: { requestsPerMinute: 600 }, policy: "requests-minute" },
          });
      }
      expect(passed).toBeLessThanOrEqual(600);
      expect(passed).toBeGreaterThanOrEqual(594);
      clock.now += MINUTE;
      await nodes[1].admit(ann, 0.01);
    });
  });

  test.runIf(!many)("one node admits exactly the minute's requests", { tags: ["UN5"] }, async () => {
    await bench(async ({ open }) => {
      const node = open();
      const sent = await Promise.allSettled(Array.from({ length: 700 }, () => node.admission.arrive(ann, "other")));
      expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(600);
      const { requests } = await node.accounts.usage("account:ann", "2026-06");
      expect(requests).toBe(600);
    });
  });

  test("after the month's units there are smaller limits, and after their allowance none", {
    tags: ["UN6"],
  }, async () => {
    await bench(async ({ open, clock }) => {
      const node = open();
      for (let i = 0; i < 100; i++) {
        await node.spend(ann, 100);
        if (i % 3 === 2) clock.now += MINUTE;
      }
      clock.now += MINUTE;
      expect(await refusalOf(node.admit(ann, 30.5))).toMatchObject({
        code: "cost",
        facts: { limits: { maxUnits: 30, requestedUnits: 30.5 } },
      });
      const open1 = await node.admit(ann, 10);
      expect(await refusalOf(node.admit(ann, 10))).toMatchObject({
        code: "concurrency",
        facts: { limits: { concurrentRequests: 1, runningRequests: 1 } },
      });
      expect(told(await open1.charge(toUnits(10)))).toMatchObject({
        remaining: 4990,
        limits: { isRestricted: true, unitsPerMinute: 300_000, concurrentRequests: 1 },
      });
      await node.spend(ann, 20);
      expect(await refusalOf(node.admit(ann, 0.01))).toMatchObject({
        code: "rate",
        facts: { limits: { unitsPerMinute: 30, unitsSpentThisMinute: 30 } },
      });
      for (let left = 5000 - 30; left > 0; left -= 30) {
        clock.now += MINUTE;
        await node.spend(ann, Math.min(30, left));
      }
      clock.now += MINUTE;
      const exhausted = await refusalOf(node.admit(ann, 0.01));
      expect(exhausted).toMatchObject({
        code: "quota",
        facts: {
          limits: { unitsPerMonth: 10_000, restrictedUnits: 5000, unitsSpentThisMonth: 15_000 },
          retryAfter: (Date.parse("2026-07-01T00:00:00Z") - clock.now) / 1000,
        },
      });
      expect(await spent(node)).toBe(15_000);
      clock.now = Date.parse("2026-07-01T00:00:00Z");
      expect((await node.spend(ann, 1)).remaining).toBe(9999);
      expect([await spent(node), await spent(node, "account:ann", "2026-07")]).toEqual([15_000, 1]);
    });
  });

  test("what was admitted before midnight is charged to its own month", { tags: ["UN7"] }, async () => {
    await bench(async ({ open, clock }) => {
      const node = open();
      clock.now = Date.parse("2026-06-30T23:59:59.900Z");
      const late = await node.admit(ann, 2);
      clock.now = Date.parse("2026-07-01T00:00:00.100Z");
      await node.spend(ann, 1);
      expect(told(await late.charge(toUnits(2)))).toMatchObject({ spent: 2, remaining: 9999 });
      expect([await spent(node), await spent(node, "account:ann", "2026-07")]).toEqual([2, 1]);
      // a node whose clock is behind
      clock.now = Date.parse("2026-06-30T23:59:59.950Z");
      await node.spend(ann, 3);
      clock.now = Date.parse("2026-07-01T00:00:00.200Z");
      expect((await node.spend(ann, 1)).remaining).toBe(9998);
      expect([await spent(node), await spent(node, "account:ann", "2026-07")]).toEqual([5, 2]);
    });
  });

  test("units of a month count where the clock was set back into it", async () => {
    await bench(async ({ open, clock }) => {
      const node = open();
      clock.now = Date.parse("2026-07-02T12:00:00Z");
      await node.spend(ann, 1);
      clock.now = START;
      for (let i = 1; i <= 100; i++) {
        expect((await node.spend(ann, 100)).spent).toBe(100);
        if (i % 3 === 0) clock.now += MINUTE;
      }
      clock.now += MINUTE;
      expect(await refusalOf(node.admit(ann, 100))).toMatchObject({
        code: "cost",
        message: expect.stringContaining("in restricted mode"),
      });
      expect(await spent(node)).toBe(10_000);
    });
  });

  test("a guest has the units of its token, over the end of a month too", { tags: ["UN8"] }, async () => {
    await bench(async ({ open, clock }) => {
      const node = open();
      const guest = guestIdentity("token-1");
      clock.now = Date.parse("2026-06-30T23:59:30Z");
      expect(await node.spend(guest, 60)).toMatchObject({ spent: 60, remaining: 40, period: "token" });
      clock.now = Date.parse("2026-07-01T00:00:30Z");
      const open1 = await node.admit(guest, 39);
      expect(await refusalOf(node.admit(guest, 1.5))).toMatchObject({
        code: "quota",
        facts: { limits: { maxUnits: 100, unitsSpent: 60 }, policy: "units-token" },
      });
      await open1.charge(toUnits(39));
      await node.spend(guest, 1);
      expect(await refusalOf(node.admit(guest, 0.005))).toMatchObject({ code: "quota" });
      await node.spend(guestIdentity("token-2"), 100);
    });
  });

  test("keys of the owner are counted by key, and not limited", { tags: ["UN9"] }, async () => {
    await bench(async ({ open }) => {
      const node = open();
      const mine = await node.admit(ownerIdentity("mine"), 20_000);
      expect(await mine.charge(toUnits(20_000))).toEqual({ spent: 200_000_000, rates: DEFAULT_LIMITS });
      await node.spend(ownerIdentity("other"), 1, "getSearch");
      expect(await node.accounts.usage("owner", "2026-06")).toEqual({
        units: 200_010_000,
        requests: 2,
        byDay: [{ date: "2026-06-16", units: 200_010_000, requests: 2 }],
        byRoute: [
          { route: "getSearch", units: 10_000, requests: 1 },
          { route: "getTile", units: 200_000_000, requests: 1 },
        ],
        byKey: [
          { id: "mine", units: 200_000_000, requests: 1 },
          { id: "other", units: 10_000, requests: 1 },
        ],
      });
    });
  });

  test("what was charged survives a node that dies; what was reserved does not", { tags: ["UN11"] }, async () => {
    await bench(async ({ open, clock }) => {
      const dying = open();
      await dying.spend(ann, 1);
      await dying.admit(ann, 50);
      await dying.admit(ann, 50);
      const next = open();
      if (many) {
        expect(await refusalOf(next.admit(ann, 1))).toMatchObject({ code: "concurrency" });
        clock.now += 599_000;
        expect(await refusalOf(next.admit(ann, 1))).toMatchObject({ code: "concurrency" });
        clock.now += 1000;
        expect(await next.accounts.removeExpired()).toBe(1_000_000);
        expect(await next.accounts.removeExpired()).toBe(0);
      }
      expect((await next.spend(ann, 2)).remaining).toBe(9997);
      expect(await spent(next)).toBe(3);
    });
  });

  test("what clients cut off goes back to the month and stays spent in the minute, also after a restart", async () => {
    await bench(async ({ open }) => {
      const node = open();
      const admitted = await node.admit(ann, 5);
      await admitted.charge(toUnits(5));
      admitted.refund?.();
      admitted.refund?.();
      await (await node.admit(ann, 20)).release("left");
      await (await node.admit(ann, 40)).release();
      await node.accounts.flush();
      expect(await spent(node)).toBe(0);
      expect((await node.spend(ann, 1)).remaining).toBe(9999);
      expect((await node.spend(ann, 1)).minute).toBe(273);
      await node.accounts.close();
      expect((await open().spend(ann, 1)).minute).toBe(272);
    });
  });

  test("a request is settled once", async () => {
    await bench(async ({ open }) => {
      const node = open();
      const admitted = await node.admit(ann, 5);
      await admitted.charge(toUnits(5));
      await expect(admitted.charge(toUnits(5))).rejects.toThrow("settled");
      await admitted.release();
      const released = await node.admit(ann, 5);
      await released.release();
      await released.release();
      await expect(released.charge(toUnits(5))).rejects.toThrow("settled");
      released.refund?.();
      expect(await spent(node)).toBe(5);
    });
  });

  test("guests are forgotten a day after their token", async () => {
    await bench(async ({ open, clock, store }) => {
      const node = open();
      await node.spend(guestIdentity("spends"), 1);
      await node.admission.arrive(guestIdentity("looks"), "image");
      await node.spend(ann, 1);
      clock.now += 86_400_000 + MINUTE;
      await node.accounts.removeExpired();
      expect(await store.query("select payer from unit_payer")).toEqual([{ payer: "account:ann" }]);
    });
  });
});
