import { setTimeout as pause } from "node:timers/promises";
import type { StoreSettings } from "@swath/store/node";
import { storedLimits } from "../../src/metering/counters/request-limits.ts";
import { openStore } from "../open-store.ts";

// Lets requests through until it is killed, and reports each to its parent.
const settings = JSON.parse(process.argv[2] ?? "") as StoreSettings;
const rate = { perSecond: 1e6, burst: 1e6 };
const limits = storedLimits(await openStore(settings), { key: rate, service: rate, keyMonthly: 1e9 });
process.on("disconnect", () => process.exit());
for (;;) {
  for (let i = 0; i < 5; i++) await limits.admit({ subject: "ann" });
  process.send?.(5);
  await pause(5);
}
