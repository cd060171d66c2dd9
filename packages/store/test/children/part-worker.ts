import { setTimeout as pause } from "node:timers/promises";
import { openStore, type StoreSettings } from "../../src/node/open-store.ts";
import { openParts, type PartSet, type PartTimes } from "../../src/node/parts/index.ts";

// Carries out parts until it is killed, and notes each in the table `run`. A part of the kind `kill` kills the process. With a
// set it waits for its parts too.
const { settings, worker, workMs, times, set } = JSON.parse(process.argv[2] ?? "") as {
  settings: StoreSettings;
  worker: string;
  workMs: number;
  times: PartTimes;
  set?: PartSet;
};
const store = await openStore(settings);
const parts = await openParts(store, { log: { info() {}, warn() {}, error() {} }, times });
process.on("disconnect", () => process.exit());
const kind = {
  async run(task: string, n: number) {
    await store.query("insert into run(task, n, worker) values ($1, $2, $3)", [task, n, worker]);
    await pause(workMs * (0.5 + Math.random()));
    return { task, n };
  },
  faultOf: (error: unknown) => ({ error: String(error) }),
  discard: async () => {},
};
const killer = {
  ...kind,
  name: "kill",
  async run() {
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
};
await parts.work([{ ...kind, name: "note" }, killer]);
process.send?.("ready");
if (set !== undefined) await parts.carryOut(set, { signal: new AbortController().signal });
