import { expect, test } from "vitest";
import { addProfile, type CpuProfile, flameGraph, frame, ownTimes } from "../bench/flame-graph.ts";

const call = (id: number, functionName: string, url: string, children: readonly number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
  children,
});

/** `a` calls `b<c>`; a sample a millisecond: a, b, b, idle, b. */
const profile: CpuProfile = {
  nodes: [
    call(1, "(root)", "", [2, 4]),
    call(2, "a", "file:///somewhere/a.js", [3]),
    call(3, "b<c>", "node:fs"),
    call(4, "(idle)", ""),
  ],
  startTime: 5000,
  samples: [2, 3, 3, 4, 3],
  timeDeltas: [1000, 1000, 1000, 1000, 1000],
};

function threadOf(moments: readonly [number, number]) {
  const thread = frame("main thread");
  addProfile(thread, profile, moments);
  return thread;
}

test("a function's time is that of its callees too, and waiting is none's", () => {
  const thread = threadOf([0, Infinity]);
  expect(thread.ms).toBe(4);
  expect([...thread.callees.values()]).toMatchObject([{ name: "a", place: "a.js:10", ms: 4 }]);
  expect(ownTimes([thread])).toEqual([
    { name: "b<c> (node:fs:10)", ms: 3 },
    { name: "a (a.js:10)", ms: 1 },
  ]);
});

test("samples before and after the moments that are looked at are left out", () => {
  expect(ownTimes([threadOf([6500, 8500])])).toEqual([
    { name: "b<c> (node:fs:10)", ms: 2 },
    { name: "a (a.js:10)", ms: 0 },
  ]);
});

test("a graph has a box for each function, as wide as its share, and its names are text", () => {
  const svg = flameGraph("A < B", [threadOf([0, Infinity])]);
  const boxes = [...svg.matchAll(/<title>(.*?)<\/title><rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
  expect(boxes.map(([, title, x, width]) => [title, x, width])).toEqual([
    ["main thread: 4.0 ms, 100.0 %", "0.0", "1200.0"],
    ["a (a.js:10): 4.0 ms, 100.0 %", "0.0", "1200.0"],
    ["b&#60;c&#62; (node:fs:10): 3.0 ms, 75.0 %", "0.0", "900.0"],
  ]);
  expect(svg).toContain("A &#60; B");
});
