import { expect, test } from "vitest";
import { warmUp } from "../src/render/warm-up.ts";

test("made-up tiles are drawn while there is nothing else to do, and not before", async () => {
  let idle = false;
  let asked = 0;
  const done = warmUp(() => {
    asked += 1;
    return idle;
  }, 1);
  await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(1);
  idle = true;
  await done;
  // once for each of eight drawings, and while it waited
  expect(asked).toBeGreaterThan(8);
});
