import { afterEach, expect, test, vi } from "vitest";
import { WorkBreaks } from "../../src/run/work-breaks.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Tells whether others have had their turn during a break, after `worked` milliseconds of work. */
async function othersRan(worked: number, signal = new AbortController().signal): Promise<boolean> {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  const breaks = new WorkBreaks(signal);
  time += worked;
  let hasRun = false;
  setTimeout(() => {
    hasRun = true;
  });
  await breaks.take();
  return hasRun;
}

test("others get their turn after some milliseconds of work, in a browser too", async () => {
  expect(await othersRan(7)).toBe(false);
  vi.stubGlobal("setImmediate", undefined);
  expect(await othersRan(9)).toBe(true);
});

test("work that was aborted ends at its next break, however short it was", async () => {
  await expect(othersRan(0, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});

test("work that was aborted meanwhile ends at its break", async () => {
  const controller = new AbortController();
  const waiting = othersRan(9, controller.signal);
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
});
