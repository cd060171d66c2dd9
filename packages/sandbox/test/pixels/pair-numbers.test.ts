import { expect, test } from "vitest";
import { PairNumbers } from "../../src/pixels/pair-numbers.ts";

test("a pair keeps its number, and numbers are those of the order in which pairs come", () => {
  const pairs = new PairNumbers();
  const all = Array.from({ length: 5000 }, (_, i) => [i % 70, Math.floor(i / 70) * 0x1000001] as const);
  expect(all.map(([first, second]) => pairs.numberOf(first, second))).toEqual(all.map((_, i) => i));
  expect(all.map(([first, second]) => pairs.numberOf(first, second))).toEqual(all.map((_, i) => i));
  expect(pairs.count).toBe(all.length);
  expect(all.map((_, i) => [pairs.first(i), pairs.second(i)])).toEqual(all);
});
