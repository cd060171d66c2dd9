import fc from "fast-check";
import { expect, test } from "vitest";
import { isComplete } from "../../src/index.ts";

test("a raster is complete where no value of its validity mask is 0, at any offset in memory", () => {
  const flags = fc.record({
    before: fc.nat(7),
    length: fc.nat(40),
    after: fc.nat(9),
    gap: fc.option(fc.nat(39), { nil: undefined }),
    flag: fc.constantFrom(1, 255, 2),
  });
  fc.assert(
    fc.property(flags, ({ before, length, after, gap, flag }) => {
      // values before and after are 0, and do not count
      const valid = new Uint8Array(before + length + after).subarray(before, before + length).fill(flag);
      if (gap !== undefined && gap < length) valid[gap] = 0;
      expect(isComplete({ valid })).toBe(!valid.includes(0));
    }),
    { numRuns: 500 },
  );
});
