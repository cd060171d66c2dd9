import { expect, test } from "vitest";
import { describeEngines } from "../../../../../test/tools/engines.ts";
import { anonymousIdentity, ownerIdentity } from "../../../src/identity.ts";
import { anonymousLimits } from "../../../src/metering/answers/anonymous-limits.ts";
import { ANONYMOUS_SEARCH, storedAddressLimits } from "../../../src/metering/counters/address-limits.ts";
import { openStore } from "../../open-store.ts";

const START = Date.UTC(2026, 5, 16, 12);

describeEngines("limits by address", (host) => {
  test("300 searches in 300 seconds from the first, on two nodes together, then the wait is said", async () => {
    const settings = await host().fresh();
    const clock = { now: START };
    const stores = [await openStore(settings), await openStore(settings)] as const;
    const nodes = stores.map((store) => storedAddressLimits(store, { now: () => clock.now }));
    const take = (i: number, network = "192.0.2.7") => nodes[i % 2]?.take(ANONYMOUS_SEARCH, network);
    try {
      const answers = [];
      for (let i = 0; i < 310; i++) answers.push(await take(i));
      expect(answers.slice(0, 300).every((wait) => wait === undefined)).toBe(true);
      expect(answers.slice(300)).toEqual(new Array(10).fill(300_000));
      expect(await take(0, "192.0.2.8")).toBeUndefined();
      expect(await nodes[0]?.take({ ...ANONYMOUS_SEARCH, name: "other" }, "192.0.2.7")).toBeUndefined();
      clock.now += 299_000;
      expect(await take(0)).toBe(1000);
      clock.now += 1000;
      // refused requests were not counted: the next window is whole
      for (let i = 0; i < 300; i++) expect(await take(i)).toBeUndefined();
      expect(await take(0)).toBe(300_000);
      await nodes[0]?.removeExpired(START + 1);
      expect(await take(1)).toBe(300_000);
      await nodes[0]?.removeExpired(START + 300_001);
      expect(await take(1, "192.0.2.8")).toBeUndefined();
    } finally {
      for (const store of stores) await store.close();
    }
  });

  test("a clock that is set back does not lock a network out", async () => {
    const clock = { now: START };
    const store = await openStore(await host().fresh());
    const limits = storedAddressLimits(store, { now: () => clock.now });
    try {
      for (let i = 0; i < 301; i++) await limits.take(ANONYMOUS_SEARCH, "192.0.2.7");
      clock.now -= 86_400_000;
      expect(await limits.take(ANONYMOUS_SEARCH, "192.0.2.7")).toBeUndefined();
    } finally {
      await store.close();
    }
  });
});

test("callers with a credential are not counted by their address", async () => {
  const seen: string[] = [];
  const admission = anonymousLimits(
    {
      take: async ({ name }, network) => void seen.push(`${name} ${network}`),
      removeExpired: async () => {},
    },
    {
      arrive: async ({ subject }) => void seen.push(subject),
      admit: async () => {
        throw new Error("not asked");
      },
    },
  );
  await admission.arrive(ownerIdentity("k1"), "other");
  await admission.arrive(anonymousIdentity("192.0.2.7"), "other");
  expect(seen).toEqual(["k1", "search 192.0.2.7"]);
});
