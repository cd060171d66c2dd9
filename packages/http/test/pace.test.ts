import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpError, Pace, type PaceLimits, paceState, sharedPace } from "../src/index.ts";

/** A clock that stands still until all that waits for it was given, and then goes to the next time that is waited for. */
function clock() {
  let time = 1_700_000_000_000;
  const waiting = new Map<() => void, number>();
  return {
    now: () => time,
    sleep: (milliseconds: number, signal: AbortSignal | undefined) =>
      new Promise<void>((resolve, reject) => {
        waiting.set(resolve, time + milliseconds);
        signal?.addEventListener("abort", () => {
          waiting.delete(resolve);
          reject(signal.reason);
        });
      }),
    /** Goes on until nothing waits any more. */
    async settle() {
      for (;;) {
        // what was resolved runs, and may wait again
        for (let i = 0; i < 20; i++) await Promise.resolve();
        const next = [...waiting].sort(([, a], [, b]) => a - b)[0];
        if (next === undefined) return;
        waiting.delete(next[0]);
        time = Math.max(time, next[1]);
        next[0]();
      }
    },
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const START = 1_700_000_000_000;

/** Returns the times at which `count` requests start, in milliseconds after the first. */
async function starts(count: number, limits: PaceLimits): Promise<number[]> {
  const { settle, ...times } = clock();
  const pace = new Pace(limits, times);
  const found: number[] = [];
  const all = Array.from({ length: count }, () => pace.run(async () => found.push(times.now() - START)));
  await settle();
  await Promise.all(all);
  return found;
}

test("five a second start at once, and the next five a second later", async () => {
  expect(await starts(12, { perSecond: 5 })).toEqual([0, 0, 0, 0, 0, 1000, 1000, 1000, 1000, 1000, 2000, 2000]);
});

test("without limits all start at once", async () => {
  expect(await starts(40, {})).toEqual(Array(40).fill(0));
});

test("of any second no more requests start than are allowed, by several threads of one state, and all do start", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 40 }),
      async (perSecond, threads, gaps) => {
        const { settle, advance, ...times } = clock();
        const state = paceState({ perSecond });
        const paces = Array.from({ length: threads }, () => new Pace({ perSecond }, { ...times, state }));
        const found: number[] = [];
        const all: Promise<unknown>[] = [];
        for (const [i, gap] of gaps.entries()) {
          advance(gap);
          all.push((paces[i % threads] as Pace).run(async () => found.push(times.now())));
        }
        await settle();
        await Promise.all(all);
        expect(found).toHaveLength(gaps.length);
        found.sort((a, b) => a - b);
        for (let i = perSecond; i < found.length; i++) {
          expect((found[i] as number) - (found[i - perSecond] as number)).toBeGreaterThanOrEqual(1000);
        }
      },
    ),
  );
});

test("no more requests run at once than are allowed, in the order of arrival, also where one fails", async () => {
  const pace = new Pace({ atOnce: 2 });
  const [order, ends]: [number[], (() => void)[]] = [[], []];
  let [running, most] = [0, 0];
  const all = [0, 1, 2, 3, 4].map((i) =>
    pace.run(async () => {
      order.push(i);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      if (i === 1) throw new Error("failed");
    }),
  );
  const settled = Promise.allSettled(all);
  while (order.length < 5 || running > 0) {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect([order, most]).toEqual([[0, 1, 2, 3, 4], 2]);
});

test("a pause holds for every caller of the server, those that wait already too, and for other threads", async () => {
  const { settle, ...times } = clock();
  const state = paceState({ perSecond: 1 });
  const [pace, other] = [
    new Pace({ perSecond: 1 }, { ...times, state }),
    new Pace({ perSecond: 1 }, { ...times, state }),
  ];
  const found: number[] = [];
  const ask = (by: Pace) => by.run(async () => found.push(times.now() - START));
  await ask(pace);
  const waiting = [ask(pace), ask(other)];
  for (let i = 0; i < 20; i++) await Promise.resolve();
  pace.pause(23);
  pace.pause(2);
  expect([pace.pausedMs, other.pausedMs]).toEqual([23_000, 23_000]);
  await settle();
  await Promise.all(waiting);
  expect(found).toEqual([0, 23_000, 24_000]);
  expect(other.pausedMs).toBe(0);
});

test("a request whose turn comes too late fails at once with the seconds to wait, and keeps no place", async () => {
  const { settle, advance, ...times } = clock();
  const pace = new Pace({ perSecond: 2, atOnce: 1 }, times);
  pace.pause(23);
  await expect(pace.run(async () => 1, { withinMs: 9000 })).rejects.toMatchObject({ code: "paused", retryAfter: 23 });
  advance(22_500);
  const late = pace.run(async () => times.now() - START, { withinMs: 9000 });
  await settle();
  expect(await late).toBe(23_000);
});

test("a request that waits for a place among those at once fails when its time is over", async () => {
  const pace = new Pace({ atOnce: 1 });
  let end: () => void = () => undefined;
  const first = pace.run(() => new Promise<void>((resolve) => (end = resolve)));
  await expect(pace.run(async () => 1, { withinMs: 1 })).rejects.toBeInstanceOf(HttpError);
  end();
  await first;
  expect(await pace.run(async () => 2)).toBe(2);
});

test("an abort ends the wait with its reason, and gives the place back", async () => {
  const { settle: _, ...times } = clock();
  const pace = new Pace({ perSecond: 1, atOnce: 1 }, times);
  await pace.run(async () => 1);
  const [spaced, placed] = [new AbortController(), new AbortController()];
  const first = pace.run(async () => 2, { signal: spaced.signal });
  const second = pace.run(async () => 3, { signal: placed.signal });
  for (let i = 0; i < 20; i++) await Promise.resolve();
  placed.abort(new Error("the second left"));
  spaced.abort(new Error("the first left"));
  await expect(first).rejects.toThrow("the first left");
  await expect(second).rejects.toThrow("the second left");
  times.advance(5000);
  expect(await pace.run(async () => 4)).toBe(4);
  await expect(pace.run(async () => 5, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
});

test("a pause is bounded, and a clock that is set back does not stop the requests", async () => {
  const { advance, settle: _, ...times } = clock();
  const pace = new Pace({ perSecond: 1 }, times);
  pace.pause(1e9);
  expect(pace.pausedMs).toBe(300_000);
  advance(300_000);
  await pace.run(async () => 1);
  advance(-86_400_000);
  expect(pace.pausedMs).toBe(0);
  expect(await pace.run(async () => 2)).toBe(2);
});

test("beyond a thousand that wait a request is refused", async () => {
  const { settle: _, ...times } = clock();
  const pace = new Pace({ perSecond: 1 }, times);
  const leave = new AbortController();
  const all = Array.from({ length: 1001 }, () => pace.run(async () => 1, { signal: leave.signal }).catch(() => 0));
  await expect(pace.run(async () => 1)).rejects.toMatchObject({ code: "paused", retryAfter: 1 });
  leave.abort();
  await Promise.all(all);
});

test("callers that name one server share its pace", () => {
  const pace = sharedPace("one.example", { perSecond: 5 });
  expect(sharedPace("one.example", {})).toBe(pace);
  expect(sharedPace("two.example", {})).not.toBe(pace);
});

test.each([{ perSecond: 0 }, { perSecond: 1.5 }, { atOnce: 0 }, { atOnce: -1 }])("refuses the limits %o", (limits) => {
  expect(() => new Pace(limits)).toThrow(RangeError);
});

test("refuses a state of other limits", () => {
  expect(() => new Pace({ perSecond: 3 }, { state: paceState({ perSecond: 2 }) })).toThrow(
    "Expected a state of 5 cells",
  );
});
