import type { Queries, Store } from "@swath/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeEngines } from "../../../../../test/tools/engines.ts";
import { accountIdentity, type UnitNode, unitNode } from "../../../../../test/tools/unit-nodes.ts";
import { openStore } from "../../open-store.ts";

/** Counts of what a store is asked. */
interface Asked {
  transactions: number;
  /** Those of transactions too. */
  statements: number;
}

/** A store, with counts of what it is asked. */
function watched(store: Store): { readonly store: Store; readonly asked: Asked } {
  const asked = { transactions: 0, statements: 0 };
  const counted = (queries: Queries): Queries => ({
    query(text, parameters) {
      asked.statements += 1;
      return queries.query(text, parameters);
    },
    exec(text) {
      asked.statements += 1;
      return queries.exec(text);
    },
  });
  return {
    store: {
      engine: store.engine,
      ...counted(store),
      transaction(name, work, options) {
        asked.transactions += 1;
        return store.transaction(name, (db) => work(counted(db)), options);
      },
      scrub: () => store.scrub(),
      close: () => store.close(),
    },
    asked,
  };
}

const START = Date.parse("2026-06-16T12:00:05Z");
const ann = accountIdentity("ann");
const twenty = Array.from({ length: 20 }, (_, i) => accountIdentity(`person-${i}`));

// what nobody waits for is written by the clock
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval"] }));
afterEach(() => void vi.useRealTimers());

describeEngines("statements of a charge", (host, engine) => {
  const spendTwice = async (spend: (node: UnitNode) => Promise<unknown>): Promise<Asked> => {
    const { store, asked } = watched(await openStore(await host().fresh()));
    const node = unitNode(store, { now: () => START });
    try {
      // the first time the payers are read
      await spend(node);
      Object.assign(asked, { transactions: 0, statements: 0 });
      await spend(node);
      return { ...asked };
    } finally {
      await node.accounts.close();
      await store.close();
    }
  };

  test("one answer reserves in memory and is charged by three statements, or by one each over many nodes", async () => {
    const asked = await spendTwice((node) => node.spend(ann, 1));
    const expected = { sqlite: { transactions: 1, statements: 3 }, postgres: { transactions: 0, statements: 2 } };
    expect(asked).toEqual(expected[engine]);
  });

  test("twenty answers at once are charged together", async () => {
    const asked = await spendTwice((node) => Promise.all(twenty.map((each) => node.spend(each, 1))));
    const expected = { sqlite: { transactions: 1, statements: 5 }, postgres: { transactions: 0, statements: 2 } };
    expect(asked).toEqual(expected[engine]);
  });

  test("an answer that costs nothing asks the store nothing", async () => {
    const asked = await spendTwice(async ({ admission }) => {
      await admission.arrive(ann, "image", "getTile");
      admission.receiptFor?.(ann);
    });
    expect(asked).toEqual({ transactions: 0, statements: 0 });
  });
});
