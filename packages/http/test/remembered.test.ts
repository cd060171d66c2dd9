import { expect, test } from "vitest";
import { Remembered } from "../src/index.ts";

/** Loads that say how often they were asked for. */
function counted() {
  const asked: string[] = [];
  const load = (key: string) => async (): Promise<string> => {
    asked.push(key);
    await Promise.resolve();
    return key.toUpperCase();
  };
  return { asked, load };
}

test("callers at the same time and later ones get what one load gave", async () => {
  const { asked, load } = counted();
  const known = new Remembered<string>({ max: 2 });
  expect(await Promise.all([known.of("a", load("a")), known.of("a", load("a"))])).toEqual(["A", "A"]);
  expect(await known.of("a", load("a"))).toBe("A");
  expect([known.get("a"), known.get("b"), asked]).toEqual(["A", undefined, ["a"]]);
});

test("the least recently used is dropped, by count or by size", async () => {
  const { asked, load } = counted();
  const few = new Remembered<string>({ max: 2 });
  for (const key of ["a", "b", "a", "c", "a", "b"]) await few.of(key, load(key));
  expect(asked).toEqual(["a", "b", "c", "b"]);
  const small = new Remembered<string>({ max: 5, sizeOf: (text) => text.length });
  small.set("a", "123");
  small.set("b", "45");
  small.set("c", "6");
  expect([small.get("a"), small.get("b"), small.get("c")]).toEqual([undefined, "45", "6"]);
});

test("a value that is undefined is remembered too, until it is deleted", async () => {
  const known = new Remembered<string | undefined>({ max: 10 });
  let loads = 0;
  const load = async (): Promise<undefined> => {
    loads += 1;
  };
  await known.of("a", load);
  await known.of("a", load);
  expect(loads).toBe(1);
  known.delete("a");
  await known.of("a", load);
  expect(loads).toBe(2);
});

test("each value is kept for as long as it says", async () => {
  let time = 1000;
  const { asked, load } = counted();
  const ttlMs = (value: string): number => ({ A: 100, B: 0 })[value] ?? 10;
  const known = new Remembered<string>({ max: 10, ttlMs, now: () => time });
  const all = async (): Promise<void> => {
    for (const key of ["a", "b", "c"]) await known.of(key, load(key));
  };
  await all();
  time += 9;
  await all();
  time += 2;
  await all();
  expect(asked).toEqual(["a", "b", "c", "b", "b", "c"]);
  time += 100;
  expect(known.get("a")).toBeUndefined();
});

test("a load that fails is not remembered, and the last caller who leaves ends it", async () => {
  const known = new Remembered<string>({ max: 10 });
  await expect(known.of("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await known.of("a", async () => "here")).toBe("here");
  const controller = new AbortController();
  let ended: AbortSignal | undefined;
  const waiting = known.of(
    "b",
    (signal) => {
      ended = signal;
      return new Promise(() => {});
    },
    controller.signal,
  );
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect(ended?.aborted).toBe(true);
  await expect(known.of("b", async () => "late", controller.signal)).rejects.toThrow("gone");
});
