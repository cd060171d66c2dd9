import fc from "fast-check";
import { expect, test } from "vitest";
import { Workload } from "../../../src/run/compute/workload.ts";

const { signal } = new AbortController();

test("shares of a whole fit side by side, ten tenths too, and nothing beside the whole", () => {
  const work = new Workload();
  for (let i = 0; i < 10; i++) {
    expect(work.fits(0.1)).toBe(true);
    work.begin(0.1);
  }
  expect([work.fits(0.1), work.fits(0.001), work.fits(1)]).toEqual([false, false, false]);
  work.end(0.1);
  expect([work.fits(0.1), work.fits(0.2)]).toEqual([true, false]);
});

test("what is larger than the whole is begun alone", () => {
  const work = new Workload();
  expect(work.fits(5)).toBe(true);
  work.begin(5);
  expect(work.fits(0.001)).toBe(false);
  work.end(5);
  work.begin(0.001);
  expect(work.fits(5)).toBe(false);
});

test("whatever begins and ends in any order, what fits never adds up to more than 1, or is alone", () => {
  const share = fc.double({ min: 0.001, max: 1.5, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(share, fc.nat()), { maxLength: 60 }), (steps) => {
      const work = new Workload();
      const running: number[] = [];
      for (const [next, which] of steps) {
        if (work.fits(next)) {
          work.begin(next);
          running.push(next);
        } else {
          // something runs, or everything would fit
          expect(running.length).toBeGreaterThan(0);
          const [ended] = running.splice(which % running.length, 1);
          work.end(ended!);
        }
        const sum = running.reduce((total, each) => total + each, 0);
        expect(running.length === 1 || sum < 1 + 1e-8).toBe(true);
      }
      for (const each of running) work.end(each);
      expect(work.fits(1.5)).toBe(true);
    }),
  );
});

test("whoever waits for less goes on when anything ends, and all of them do", async () => {
  const work = new Workload();
  work.begin(0.5);
  work.begin(0.5);
  const woken: string[] = [];
  const waiting = ["a", "b"].map((name) => work.less(signal).then(() => woken.push(name)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken).toEqual([]);
  work.end(0.5);
  await Promise.all(waiting);
  expect(woken).toEqual(["a", "b"]);
  expect(work.fits(0.5)).toBe(true);
});

test("waiting ends with the reason of the signal, before it begins too", async () => {
  const reason = new Error("left");
  const controller = new AbortController();
  const work = new Workload();
  work.begin(1);
  const waiting = work.less(controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(work.less(controller.signal)).rejects.toBe(reason);
});

test("a share is counted until its work has ended, well or not", async () => {
  const work = new Workload();
  let finish = (): void => {};
  const good = work.during(1, new Promise<void>((resolve) => (finish = resolve)));
  expect(work.fits(0.5)).toBe(false);
  finish();
  await good;
  expect(work.fits(1)).toBe(true);
  const fault = new Error("broken");
  await expect(work.during(1, Promise.reject(fault))).rejects.toBe(fault);
  expect(work.fits(1)).toBe(true);
});
