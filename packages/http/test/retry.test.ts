import { expect, test } from "vitest";
import { HttpError, retryAfterSeconds, sleepFor, withRetries } from "../src/index.ts";

/** An attempt that fails some times, and a clock that its waits advance. */
function failing(times: number) {
  const waits: number[] = [];
  let [time, tries] = [0, 0];
  const run = {
    random: () => 0,
    now: () => time,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
  };
  const attempt = async (): Promise<number> => {
    if (++tries <= times) throw new Error(`failure ${tries}`);
    return tries;
  };
  return { waits, run, attempt };
}

test.each([
  { name: "waits double, half of each is chance", failures: 3, asked: true as const, waits: [50, 100, 200] },
  { name: "the server's wait makes a short one longer", failures: 3, asked: 120, waits: [120, 120, 200] },
])("$name", async ({ failures, asked, waits: expected }) => {
  const { waits, run, attempt } = failing(failures);
  expect(await withRetries(attempt, () => asked, { ...run, retries: 3, backoffMs: 100 })).toBe(failures + 1);
  expect(waits).toEqual(expected);
});

test("waits stop doubling at five seconds", async () => {
  const { waits, run, attempt } = failing(4);
  await withRetries(attempt, () => true, { ...run, retries: 4, backoffMs: 4000 });
  expect(waits).toEqual([2000, 2500, 2500, 2500]);
});

test("an error that does not pass, or comes once too often, is thrown as it is", async () => {
  const final = failing(1);
  await expect(withRetries(final.attempt, () => false, final.run)).rejects.toThrow("failure 1");
  expect(final.waits).toEqual([]);
  const often = failing(9);
  await expect(withRetries(often.attempt, () => true, { ...often.run, retries: 2 })).rejects.toThrow("failure 3");
});

test("no attempt begins after the deadline, and a running one ends with it", async () => {
  const { waits, run, attempt } = failing(9);
  const late = withRetries(attempt, () => 400, { ...run, retries: 9, deadlineMs: 1000 });
  await expect(late).rejects.toThrow("failure 3");
  expect(waits).toEqual([400, 400]);
  const endless = (signal: AbortSignal | undefined): Promise<void> => sleepFor(60_000, signal);
  const ended = withRetries(endless, () => true, { deadlineMs: 20 });
  await expect(ended).rejects.toBeInstanceOf(HttpError);
  await expect(ended).rejects.toMatchObject({ code: "timeout" });
});

test("a caller's abort ends the wait between two attempts, with its reason", async () => {
  const controller = new AbortController();
  const sleep: typeof sleepFor = (milliseconds, signal) => {
    const slept = sleepFor(milliseconds, signal);
    controller.abort(new Error("gave up"));
    return slept;
  };
  const { attempt } = failing(9);
  // a wait that did not end would take longer than the test may
  const options = { backoffMs: 3_600_000, sleep, signal: controller.signal };
  await expect(withRetries(attempt, () => true, options)).rejects.toThrow("gave up");
});

test.each([
  { header: "7", seconds: 7 },
  { header: "Sun, 22 Nov 2026 20:00:07 GMT", seconds: 7 },
  { header: "Sun, 22 Nov 2026 19:00:00 GMT", seconds: 0 },
  { header: "soon", seconds: undefined },
  { header: "-1", seconds: undefined },
  { header: undefined, seconds: undefined },
])("Retry-After $header is $seconds", ({ header, seconds }) => {
  expect(retryAfterSeconds(header, Date.parse("2026-11-22T20:00:00Z"))).toBe(seconds);
});
