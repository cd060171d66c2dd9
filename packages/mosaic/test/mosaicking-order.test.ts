import fc from "fast-check";
import { expect, test } from "vitest";
import { type MosaickingOrder, sortScenes } from "../src/index.ts";

const day = (n: number): number => Date.UTC(2024, 3, n);

test.each<{ order: MosaickingOrder; expected: string[] }>([
  { order: "mostRecent", expected: ["c", "a", "b", "e", "d", "f"] },
  { order: "leastRecent", expected: ["d", "a", "b", "e", "c", "f"] },
  { order: "leastCC", expected: ["c", "b", "d", "e", "a", "f"] },
])(
  "$order: ties go to the newest, then to the smaller id; what is unknown comes last",
  { tags: ["X10"] },
  ({ order, expected }) => {
    const items = [
      { id: "f" },
      { id: "e", time: day(2), cloudCover: 50 },
      { id: "b", time: day(2), cloudCover: 10 },
      { id: "a", time: day(2) },
      { id: "d", time: day(1), cloudCover: 10 },
      { id: "c", time: day(3), cloudCover: 0 },
    ];
    expect(sortScenes(items, order).map(({ id }) => id)).toEqual(expected);
  },
);

test("the order does not depend on the order of the input, which stays as it is", () => {
  const item = fc.record({ id: fc.string(), time: fc.option(fc.nat(3), { nil: undefined }), cloudCover: fc.nat(3) });
  const items = fc.uniqueArray(item, { selector: ({ id }) => id });
  fc.assert(
    fc.property(items, fc.constantFrom<MosaickingOrder>("mostRecent", "leastRecent", "leastCC"), (list, order) => {
      const before = [...list];
      expect(sortScenes([...list].reverse(), order)).toEqual(sortScenes(list, order));
      expect(list).toEqual(before);
    }),
    { seed: 3 },
  );
});
