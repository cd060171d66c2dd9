import { setTimeout as pause } from "node:timers/promises";
import { storedJobs } from "../../src/jobs/stored-queue.ts";
import { openStore, type StoreSettings } from "../../src/node/open-store.ts";

// Claims and finishes jobs until it is killed, and notes each in the table `run`.
const { settings, worker, workMs, leaseMs, slots } = JSON.parse(process.argv[2] ?? "") as {
  settings: StoreSettings;
  worker: string;
  workMs: number;
  leaseMs: number;
  slots?: number;
};
const store = await openStore(settings);
const queue = storedJobs(store, slots === undefined ? {} : { slots });
process.on("disconnect", () => process.exit());
process.send?.("ready");
const wallClock = (): number => performance.timeOrigin + performance.now();
for (;;) {
  const job = await queue.claim(worker, leaseMs);
  if (job === undefined) {
    await pause(5 + Math.random() * 10);
    continue;
  }
  const began = wallClock();
  await pause(workMs * (0.5 + Math.random()));
  await store.query("insert into run(job, worker, began, ended) values ($1, $2, $3, $4)", [
    job.id,
    worker,
    began,
    wallClock(),
  ]);
  await queue.finish(job.id, worker, { result: { job: job.id, worker } });
}
