import { setTimeout as pause } from "node:timers/promises";
import type { Queries, Store } from "@swath/store";
import type { StoreSettings } from "@swath/store/node";
import { storedLimits } from "../../src/metering/counters/request-limits.ts";
import { openStore } from "../open-store.ts";
import { COUNTS, ROUND_MS } from "./counts.ts";

/*
 * Lets requests through until it is killed, and reports each to its parent. Its own clock goes on with each round of
 * requests, and stands still where a write would take longer than the time until the next: however slow the machine is, a
 * second of it holds as many requests and writes.
 */
const settings = JSON.parse(process.argv[2] ?? "") as StoreSettings;
const rate = { perSecond: 1e6, burst: 1e6 };
const opened = await openStore(settings);
let writing = 0;
const store: Store = {
  engine: opened.engine,
  query: (...query) => opened.query(...query),
  exec: (text) => opened.exec(text),
  transaction: async <T>(name: string, work: (queries: Queries) => Promise<T>, options?: object) => {
    writing += 1;
    try {
      return await opened.transaction(name, work, options);
    } finally {
      writing -= 1;
    }
  },
  scrub: () => opened.scrub(),
  close: () => opened.close(),
};
let write = (): void => {};
let everyMs = Number.POSITIVE_INFINITY;
const { setInterval } = globalThis;
globalThis.setInterval = ((work: () => void, ms: number) => {
  [write, everyMs] = [work, ms];
  return { unref: () => {} };
}) as unknown as typeof setInterval;
const limits = storedLimits(store, { key: rate, service: rate, keyMonthly: 1e9 });
globalThis.setInterval = setInterval;
process.on("disconnect", () => process.exit());
for (let time = 0, next = everyMs; ; time += ROUND_MS) {
  if (time >= next) {
    while (writing > 0) await pause(1);
    write();
    next += everyMs;
  }
  for (let i = 0; i < COUNTS; i++) await limits.admit({ subject: "ann" });
  process.send?.(COUNTS);
  await pause(ROUND_MS);
}
