import { expect, test } from "vitest";
import { InFlight } from "../src/index.ts";

/** A load that the test settles by hand. */
function manual() {
  const calls: { resolve(value: string): void; reject(error: Error): void; readonly signal: AbortSignal }[] = [];
  const load = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => calls.push({ resolve, reject, signal }));
  return { calls, load };
}

test("callers at the same time share one load, later ones start another", async () => {
  const flights = new InFlight<string>();
  const { calls, load } = manual();
  const both = [flights.share("a", load), flights.share("a", load)];
  expect(flights.has("a")).toBe(true);
  calls[0]!.resolve("x");
  expect(await Promise.all(both)).toEqual(["x", "x"]);
  expect(flights.has("a")).toBe(false);
  void flights.share("a", load);
  expect(calls).toHaveLength(2);
});

test("one caller's abort ends its wait alone, the last one's ends the load", async () => {
  const flights = new InFlight<string>();
  const { calls, load } = manual();
  const [first, second] = [new AbortController(), new AbortController()];
  const one = flights.share("a", load, first.signal);
  const two = flights.share("a", load, second.signal);
  first.abort(new Error("first gave up"));
  await expect(one).rejects.toThrow("first gave up");
  expect(calls[0]!.signal.aborted).toBe(false);
  second.abort(new Error("second gave up"));
  await expect(two).rejects.toThrow("second gave up");
  expect(calls[0]!.signal.aborted).toBe(true);
  // the next caller does not join the load that was aborted, nor is it forgotten twice when it ends
  const three = flights.share("a", load);
  calls[0]!.reject(new Error("late"));
  calls[1]!.resolve("y");
  expect(await three).toBe("y");
});

test("a failure rejects all waiting callers and no later ones", async () => {
  const flights = new InFlight<string>();
  const { calls, load } = manual();
  const both = [flights.share("a", load), flights.share("a", load)];
  calls[0]!.reject(new Error("failed"));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = flights.share("a", load);
  calls[1]!.resolve("z");
  expect(await next).toBe("z");
});

test("a caller that gave up before starts nothing", async () => {
  const { calls, load } = manual();
  await expect(new InFlight<string>().share("a", load, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(calls).toHaveLength(0);
});
