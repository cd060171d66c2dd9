import { expect, test } from "vitest";
import { RequestGate } from "../src/api/request-gate.ts";

/** Tasks that end when told to, and how many run. */
function tasks(gate: RequestGate) {
  const ends: (() => void)[] = [];
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const start = (id: number, signal?: AbortSignal): Promise<number> =>
    gate.run(async () => {
      order.push(id);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return id;
    }, signal);
  return { start, order, most: () => most, running: () => running, end: () => ends.shift()?.() };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("no more tasks run than the gate lets in, in their order", async () => {
  const { start, order, most, end } = tasks(new RequestGate(2));
  const all = [1, 2, 3, 4, 5].map((id) => start(id));
  for (let i = 0; i < 5; i++) {
    await settled();
    end();
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  expect([order, most()]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test("a gate that is lowered lets nothing in until fewer run", async () => {
  const gate = new RequestGate(3);
  const { start, running, end } = tasks(gate);
  const all = [1, 2, 3, 4].map((id) => start(id));
  await settled();
  gate.lower(0);
  gate.lower(8);
  end();
  await settled();
  expect(running()).toBe(2);
  end();
  await settled();
  expect(running()).toBe(1);
  end();
  await settled();
  expect(running()).toBe(1);
  end();
  await Promise.all(all);
});

test("a task that is aborted while it waits never runs, one that fails makes room", async () => {
  const gate = new RequestGate(1);
  const { start, order, end } = tasks(gate);
  const first = start(1);
  const controller = new AbortController();
  const second = start(2, controller.signal);
  const third = start(3);
  controller.abort(new Error("Not wanted."));
  await expect(second).rejects.toThrow("Not wanted.");
  end();
  await settled();
  end();
  expect(await Promise.all([first, third])).toEqual([1, 3]);
  expect(order).toEqual([1, 3]);
  await expect(gate.run(() => Promise.reject(new Error("It failed.")))).rejects.toThrow("It failed.");
  expect(await gate.run(async () => 4)).toBe(4);
  await expect(gate.run(async () => 5, controller.signal)).rejects.toThrow("Not wanted.");
});
