import fc from "fast-check";
import { expect, test } from "vitest";
import { mapLimited } from "../src/index.ts";

test("each item is worked on once, as many at a time as the limit allows, and results keep their order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 })), fc.integer({ min: 1, max: 6 }), async (turns, limit) => {
      let [running, most] = [0, 0];
      const found = await mapLimited([...turns.keys()], limit, async (i) => {
        running += 1;
        most = Math.max(most, running);
        for (let turn = 0; turn < turns[i]!; turn++) await Promise.resolve();
        running -= 1;
        return 10 * i;
      });
      expect(found).toEqual(turns.map((_, i) => 10 * i));
      expect(most).toBe(Math.min(limit, turns.length));
    }),
  );
});

test("after a failure no other item is begun", async () => {
  const begun: number[] = [];
  const work = async (i: number): Promise<void> => {
    begun.push(i);
    await Promise.resolve();
    if (i === 1) throw new Error("broken");
  };
  await expect(mapLimited([0, 1, 2, 3, 4, 5, 6, 7], 2, work)).rejects.toThrow("broken");
  const known = begun.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toHaveLength(known);
  expect(known).toBeLessThan(5);
});
