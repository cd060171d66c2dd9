import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "@swath/store";
import type { StoreSettings } from "@swath/store/node";
import { storedLimits } from "../../src/metering/counters/request-limits.ts";
import { openStore } from "../open-store.ts";

/** Requests that were let through, and in which half of a second: those in which the store is being written to are not counted. */
export interface Counted {
  readonly count: number;
  readonly half: number;
}

// Lets requests through until it is killed, and reports each to its parent.
const settings = JSON.parse(process.argv[2] ?? "") as StoreSettings;
const rate = { perSecond: 1e6, burst: 1e6 };
const store = await openStore(settings);
let isWriting = false;
const watched: Store = {
  ...store,
  async transaction(...given) {
    isWriting = true;
    try {
      return await store.transaction(...given);
    } finally {
      isWriting = false;
    }
  },
};
const limits = storedLimits(watched, { key: rate, service: rate, keyMonthly: 1e9 });
// in tenths: counts are written every half a second too, and a step of that length would fall into each writing
let tenths = 0;
setInterval(() => {
  if (!isWriting) tenths += 1;
}, 100);
process.on("disconnect", () => process.exit());
for (;;) {
  for (let i = 0; i < 5; i++) await limits.admit({ subject: "ann" });
  process.send?.({ count: 5, half: Math.floor(tenths / 5) } satisfies Counted);
  await pause(5);
}
