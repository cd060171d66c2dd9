import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { whenAborted } from "../src/index.ts";

test("many calls are one listener of the signal, and each is made once", () => {
  const controller = new AbortController();
  const made: number[] = [];
  for (let i = 0; i < 20; i += 1) whenAborted(controller.signal, () => made.push(i));
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
  controller.abort();
  controller.abort();
  expect(made).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test("a wait that ended is not called, and the last one's end leaves no listener", () => {
  const controller = new AbortController();
  const made: string[] = [];
  const first = whenAborted(controller.signal, () => made.push("first"));
  const second = whenAborted(controller.signal, () => made.push("second"));
  first();
  second();
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  whenAborted(controller.signal, () => made.push("third"));
  controller.abort();
  expect(made).toEqual(["third"]);
});

test("a call that ends the wait of another one keeps it from being called", () => {
  const controller = new AbortController();
  const made: string[] = [];
  whenAborted(controller.signal, () => {
    made.push("first");
    ended();
  });
  const ended = whenAborted(controller.signal, () => made.push("second"));
  controller.abort();
  expect(made).toEqual(["first"]);
});
