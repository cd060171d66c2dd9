import { type Queries, type Store, StoreError } from "@swath/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../../test/tools/engines.ts";
import { searches } from "../../../../../test/tools/searches.ts";
import { accountIdentity, type UnitNode, unitNode } from "../../../../../test/tools/unit-nodes.ts";
import { LimitError } from "../../../src/errors.ts";
import type { Identity } from "../../../src/identity.ts";
import { toUnits } from "../../../src/metering/units/units.ts";
import { openStore } from "../../open-store.ts";

/**
 * The fault at a step of the store: its connection breaks or the node dies, before the step takes effect or after.
 * Steps are statements, and the ends of transactions.
 */
type Fault = "breaks-before" | "breaks-after" | "dies-before" | "dies-after";

/** A store whose steps fail as planned, as one node sees it. */
class FaultyStore implements Store {
  readonly engine: Store["engine"];
  readonly #inner: Store;
  readonly #faults: Map<number, Fault>;
  #step = 0;
  #die: () => void = () => {};
  isDead = false;
  /** The statements that the database carries out: it goes on with what a dead node has sent it. */
  readonly #sent = new Set<Promise<unknown>>();
  /** Resolves when the node dies. */
  readonly died = new Promise<void>((resolve) => {
    this.#die = resolve;
  });

  constructor(inner: Store, faults: Map<number, Fault>) {
    this.engine = inner.engine;
    this.#inner = inner;
    this.#faults = faults;
  }

  /** No faults from here on. */
  heal(): void {
    this.#faults.clear();
  }

  /** Resolves when the database has carried out what was sent to it. */
  async idle(): Promise<void> {
    while (this.#sent.size > 0) await Promise.allSettled(this.#sent);
  }

  async #around<T>(work: () => Promise<T>): Promise<T> {
    this.#step += 1;
    const fault = this.#faults.get(this.#step);
    if (this.isDead || fault === "dies-before") return this.#kill();
    if (fault === "breaks-before") throw new StoreError("unavailable", "It broke before.");
    const result = await work();
    if (this.isDead || fault === "dies-after") return this.#kill();
    if (fault === "breaks-after") throw new StoreError("unavailable", "It broke after.");
    return result;
  }

  /** A node that is dead waits for ever. */
  #kill(): Promise<never> {
    this.isDead = true;
    this.#die();
    return new Promise(() => {});
  }

  #send<T>(answer: Promise<T>): Promise<T> {
    this.#sent.add(answer);
    const over = (): boolean => this.#sent.delete(answer);
    answer.then(over, over);
    return answer;
  }

  query(text: string, parameters?: Parameters<Store["query"]>[1]) {
    return this.#around(() => this.#send(this.#inner.query(text, parameters)));
  }

  exec(text: string) {
    return this.#around(() => this.#send(this.#inner.exec(text)));
  }

  transaction<T>(name: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#around(async () => {
      try {
        const inside = (db: Queries): Queries => ({
          query: (text, parameters) => this.#inside(() => db.query(text, parameters)),
          exec: (text) => this.#inside(() => db.exec(text)),
        });
        return await this.#send(this.#inner.transaction(name, (db) => work(inside(db))));
      } catch (error) {
        return error instanceof Death ? this.#kill() : Promise.reject(error);
      }
    });
  }

  /** A statement of a transaction: whatever happens to it, the store rolls back. */
  async #inside<T>(work: () => Promise<T>): Promise<T> {
    this.#step += 1;
    const fault = this.#faults.get(this.#step);
    if (this.isDead || fault?.startsWith("dies")) throw new Death();
    if (fault !== undefined) throw new StoreError("unavailable", "It broke within.");
    return work();
  }

  async scrub() {}

  async close() {}
}

class Death extends Error {}

interface Action {
  readonly account: number;
  readonly cost: number;
  readonly end: "charge" | "release" | "refund";
  /** Whether it waits for those before it. */
  readonly waits: boolean;
}

const action: fc.Arbitrary<Action> = fc.record({
  account: fc.nat(1),
  cost: fc.constantFrom(0.01, 0.25, 1, 90),
  end: fc.constantFrom("charge", "charge", "charge", "release", "refund"),
  waits: fc.boolean(),
});
const fault: fc.Arbitrary<[number, Fault]> = fc.tuple(
  fc.integer({ min: 1, max: 90 }),
  fc.constantFrom<Fault[]>("breaks-before", "breaks-after", "dies-before", "dies-after"),
);

/** The charge of the request by the model: all, nothing, or either where nobody was told. */
type Outcome = "charged" | "free" | "unknown";

async function perform(node: UnitNode, identity: Identity, { cost, end }: Action): Promise<Outcome> {
  try {
    const admitted = await node.admit(identity, cost);
    if (end === "release") {
      await admitted.release();
      return "free";
    }
    expect((await admitted.charge(toUnits(cost)))?.spent).toBe(toUnits(cost));
    if (end === "charge") return "charged";
    admitted.refund?.();
    return "free";
  } catch (error) {
    if (error instanceof StoreError || error instanceof LimitError) return "free";
    throw error;
  }
}

/** Steps that `actions` below take at most: on PostgreSQL a charge is one. */
const MAX_STEPS = { sqlite: 60, postgres: 30 } as const;
const START = Date.parse("2026-06-16T12:00:00Z");

interface Life {
  readonly actions: readonly Action[];
  readonly faults: readonly [number, Fault][];
}

const life: fc.Arbitrary<Life> = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 10 }),
  faults: fc.array(fault, { maxLength: 3 }),
});

interface Mode {
  /** 0: an answer does not wait for a store that is away. */
  readonly patienceMs: number;
}

/** Lives of nodes on one store, one after the other: each performs its actions until it dies or is done. */
async function live(inner: Store, lives: readonly Life[], { patienceMs }: Mode): Promise<void> {
  for (const name of ["unit_payer", "unit_reservation", "unit_count", "usage_batch"]) {
    await inner.exec(`delete from ${name}`);
  }
  const clock = { now: START };
  const outcomes = new Map<string, { outcome: Outcome; cost: number; mayBeLate: boolean }>();
  for (const [n, { actions, faults }] of lives.entries()) {
    const store = new FaultyStore(inner, new Map(faults));
    const node = unitNode(store, { now: () => clock.now, patienceMs, retryMs: 1 });
    let before: Promise<unknown> = Promise.resolve();
    const running = actions.map((each, i) => {
      const id = `life-${n}-request-${i}`;
      const record = {
        outcome: "unknown" as Outcome,
        cost: toUnits(each.cost) as number,
        // what is given back is written with the next batch: a node that dies first has charged what it charged
        mayBeLate: each.end === "refund",
      };
      outcomes.set(id, record);
      const identity = accountIdentity(`a${each.account}`, "free", id);
      const work = (each.waits ? before : Promise.resolve()).then(async () => {
        record.outcome = await perform(node, identity, each);
      });
      before = work;
      return work;
    });
    const all = Promise.all(running);
    await Promise.race([all, store.died]);
    store.heal();
    if (store.isDead && patienceMs === 0) {
      // the connection broke while a charge was committed, its caller was told so, and then the node died
      for (const [id, record] of outcomes) if (id.startsWith(`life-${n}-`)) record.mayBeLate = true;
    }
    if (!store.isDead) await Promise.race([node.accounts.close(), store.died]);
    await store.idle();
    // time for reservations of a dead node to end
    clock.now += 600_000;
  }
  const rows = await inner.query("select key_id, payer, sum(units) as units from unit_count group by key_id, payer");
  const charged = new Map(rows.map((row) => [String(row.key_id), Number(row.units)]));
  for (const [id, { outcome, cost, mayBeLate }] of outcomes) {
    const units = charged.get(id) ?? 0;
    if (outcome === "charged") expect(units, id).toBe(cost);
    else if (outcome === "free" && !mayBeLate) expect(units, id).toBe(0);
    else expect([0, cost], id).toContain(units);
  }
  for (const account of [0, 1]) {
    const payer = `account:a${account}`;
    const sum = rows.filter((row) => row.payer === payer).reduce((total, { units }) => total + Number(units), 0);
    const [row] = await inner.query("select spent from unit_payer where payer = $1", [payer]);
    expect(Number(row?.spent ?? 0), payer).toBe(sum);
  }
  // nothing stays reserved
  const node = unitNode(inner, { now: () => clock.now });
  await node.accounts.removeExpired();
  expect(await inner.query("select id from unit_reservation")).toEqual([]);
  const again = accountIdentity("a0", "free", "again");
  const both = [await node.admit(again, 1), await node.admit(again, 1)];
  for (const each of both) await each.release();
  await node.accounts.close();
}

const MODES: readonly Mode[] = [{ patienceMs: 0 }, { patienceMs: 5000 }];

describeEngines("units under faults", (host, engine) => {
  const withStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };

  test.each(MODES)(
    "whatever fails and whenever, each answer is charged once and nothing else is (%o)",
    { tags: ["UN10"] },
    (mode) =>
      withStore((store) =>
        fc.assert(
          fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 3 }), (lives) => live(store, lives, mode)),
          { numRuns: searches(40, 2000) },
        ),
      ),
  );

  test.each(["breaks-before", "breaks-after", "dies-before", "dies-after"] as const)(
    "at every step of the store that %s, each answer is charged once and nothing else is",
    { tags: ["UN10"] },
    (kind) =>
      withStore(async (store) => {
        const actions: Action[] = [
          { account: 0, cost: 1, end: "charge", waits: false },
          { account: 0, cost: 0.25, end: "charge", waits: false },
          { account: 1, cost: 90, end: "release", waits: false },
          { account: 0, cost: 0.01, end: "charge", waits: true },
        ];
        for (const mode of MODES) {
          for (let step = 1; step <= MAX_STEPS[engine]; step++) {
            await live(
              store,
              [
                { actions, faults: [[step, kind]] },
                { actions, faults: [] },
              ],
              mode,
            );
          }
        }
      }),
  );
});
