import fc from "fast-check";
import { expect, test } from "vitest";
import { equalEdges, MAX_BINS } from "../../../src/run/compute/bins.ts";
import type { Reducer } from "../../../src/run/compute/compute-job.ts";
import { addNumbers, EXACT_VALUES, finishNumbers, numbersOf } from "../../../src/run/compute/partial-numbers.ts";
import {
  binValues,
  countBelow,
  percentilesOf,
  sortValues,
  thinValues,
  valueAt,
} from "../../../src/run/compute/sorted-values.ts";

const parts = fc.array(fc.array(fc.integer({ min: -5, max: 30 }), { maxLength: 40 }), { minLength: 1, maxLength: 5 });

test("ranks, counts and bins among several parts are those of all their values", () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: -6, max: 31 }), (each, limit) => {
      const all = each.flat().sort((a, b) => a - b);
      const sorted = each.map((values) => sortValues(Float64Array.from(values)));
      expect(all.map((_, rank) => valueAt(sorted, rank))).toEqual(all);
      expect(countBelow(sorted, limit, false)).toBe(all.filter((value) => value < limit).length);
      expect(countBelow(sorted, limit, true)).toBe(all.filter((value) => value <= limit).length);
      const { counts, below, above } = binValues(sorted, [0, 10, 20]);
      expect([below, ...counts, above]).toEqual([
        all.filter((value) => value < 0).length,
        all.filter((value) => value >= 0 && value < 10).length,
        all.filter((value) => value >= 10 && value <= 20).length,
        all.filter((value) => value > 20).length,
      ]);
    }),
  );
});

test("percentiles of nothing are null, and those of one value are that value", () => {
  expect(percentilesOf([sortValues(new Float64Array(0))], [0, 50])).toEqual([null, null]);
  expect(percentilesOf([sortValues(Float64Array.of(7))], [0, 50, 100])).toEqual([7, 7, 7]);
});

/** Values that are hard to sketch: heavy tails, steps, sorted, two far clusters. */
const HARD: Readonly<Record<string, (i: number, random: number) => number>> = {
  "heavy tails": (_, random) => (random - 0.5) / (1.0000001 - random) ** 3,
  steps: (_, random) => Math.floor(random * 11),
  ascending: (i) => i,
  "two clusters": (_, random) => (random < 0.003 ? 1e9 * random : random),
};

function noise(count: number, sample: (i: number, random: number) => number): Float64Array {
  let state = 7;
  return Float64Array.from({ length: count }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return sample(i, state / 2 ** 32);
  });
}

test.each(Object.entries(HARD))(
  "percentiles of 4,200,000 values are right to 0.0002 of rank: %s",
  { tags: ["ST3"] },
  (_, sample) => {
    const values = noise(4_200_000, sample);
    const at = [0, 0.1, 1, 5, 25, 50, 75, 95, 99, 99.9, 100];
    const reducers: readonly Reducer[] = [{ kind: "percentiles", at }];
    const size = 1 << 19;
    const strips = Array.from({ length: Math.ceil(values.length / size) }, (_each, i) =>
      numbersOf(values.slice(i * size, (i + 1) * size), undefined, reducers),
    );
    const { percentiles = [], approximate, count } = finishNumbers("value", strips.reduce(addNumbers), reducers);
    expect([approximate, count]).toEqual([true, values.length]);
    for (const [i, found] of percentiles.entries()) {
      let [below, equal] = [0, 0];
      for (const value of values) {
        if (value < found!) below++;
        else if (value === found) equal++;
      }
      const [low, high] = [(100 * below) / count, (100 * (below + equal)) / count];
      const error = Math.max(0, low - at[i]!, at[i]! - high);
      expect({ percent: at[i], found, isNear: error <= 0.02 }).toEqual({ percent: at[i], found, isNear: true });
    }
  },
);

test("percentiles of 4,000,000 values are exact, in thin memory where few of them differ", { tags: ["ST3"] }, () => {
  const reducers: readonly Reducer[] = [{ kind: "percentiles", at: [50] }];
  const half = EXACT_VALUES / 2;
  const halves = [0, 1].map((k) =>
    numbersOf(
      noise(half, (i) => (k * half + i) % 1000),
      undefined,
      reducers,
    ),
  );
  const sum = halves.reduce(addNumbers);
  expect(sum.sorted?.map(({ values }) => values.length)).toEqual([1000, 1000]);
  expect(finishNumbers("value", sum, reducers)).toEqual({
    name: "value",
    pixels: EXACT_VALUES,
    count: EXACT_VALUES,
    percentiles: [499.5],
  });
});

test("thinning keeps few values as they are", () => {
  const few = sortValues(Float64Array.of(3, 1, 2));
  expect(thinValues(few)).toBe(few);
});

test.each([
  ["so many", { count: 4 }, [0, 2.5, 5, 7.5, 10]],
  ["so many from an edge", { count: 2, low: -10 }, [-10, 0, 10]],
  ["so wide", { width: 4 }, [0, 4, 8, 12]],
  ["so wide, cut at the end", { width: 4, low: 1, high: 10 }, [1, 5, 9, 10]],
  ["so wide, above all values", { width: 4, low: 20 }, [20, 24]],
  ["so wide, below all values", { width: 4, high: -20 }, [-24, -20]],
  ["so many, above all values", { count: 2, low: 20 }, [20, 20.5, 21]],
  ["so many, below all values", { count: 2, high: -20 }, [-21, -20.5, -20]],
])("bins %s", (_, bins, edges) => {
  expect(equalEdges(bins, 0, 10)).toEqual(edges);
});

test("bins of values that are all equal are around them, as numpy's", () => {
  expect(equalEdges({ count: 2 }, 3, 3)).toEqual([2.5, 3, 3.5]);
});

test("more bins than are counted are refused with the numbers", () => {
  expect(() => equalEdges({ width: 1e-9 }, 0, 1)).toThrow(
    expect.objectContaining({ code: "output-too-large", limits: { maxBins: MAX_BINS, requestedBins: 1e9 } }),
  );
});

test("bins between values that are farther apart than the largest number have edges", () => {
  const edges = equalEdges({ count: 4 }, -1e308, 1e308);
  expect(edges).toEqual([-1e308, -5e307, 0, 5e307, 1e308]);
});
