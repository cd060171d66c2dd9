import { expect, test } from "vitest";
import { warmUp } from "../../../src/run/threads/warm-up.ts";

/** Counts how often a warm-up of one round waits for a quiet moment, of which it gets `most`. */
async function quietMoments(most: number): Promise<number> {
  let asked = 0;
  await warmUp(async () => {
    asked += 1;
    return asked <= most;
  }, 1);
  return asked;
}

test("a quiet moment is awaited before each file and each drawing", async () => {
  // four files, eight drawings
  expect(await quietMoments(Number.POSITIVE_INFINITY)).toBe(12);
});

test.each([0, 2, 6])("after %i quiet moments nothing more is rendered when it is not needed", async (most) => {
  expect(await quietMoments(most)).toBe(most + 1);
});
