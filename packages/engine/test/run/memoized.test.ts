import { expect, test } from "vitest";
import { memoized } from "../../src/run/memoized.ts";

test("equal arguments are computed once, until as many others were asked for", () => {
  let made = 0;
  const double = memoized(2, ({ value }: { readonly value: number }) => {
    made += 1;
    return { value: 2 * value };
  });
  const first = double({ value: 4 });
  expect([first.value, double({ value: 4 }) === first, made]).toEqual([8, true, 1]);
  double({ value: 5 });
  double({ value: 6 });
  expect(double({ value: 4 })).not.toBe(first);
  expect(made).toBe(4);
});

test("a computation that fails is tried again", () => {
  let fails = true;
  const read = memoized(2, () => {
    if (fails) throw new Error("no");
    return {};
  });
  expect(read).toThrow("no");
  fails = false;
  expect(read()).toEqual({});
});
