import { randomUUID } from "node:crypto";
import type { JobQueue, JobRecord } from "@swath/store/jobs";
import { ProblemError } from "../../src/errors/problems.ts";

const MAX_RUNNING = 4;
const MAX_UNFINISHED = 100;
const MAX_OF_OWNER = 20;

interface Entry {
  record: JobRecord;
  holder?: { worker: string; until: number };
}

/** A queue that lives as long as its process. */
export function memoryQueue(now: () => number): JobQueue {
  const entries = new Map<string, Entry>();
  const isHeld = ({ record, holder }: Entry): boolean =>
    record.status === "running" && holder !== undefined && holder.until > now();
  const update = (entry: Entry, changes: Partial<JobRecord>): JobRecord => {
    entry.record = { ...entry.record, ...changes, updated: now() };
    return entry.record;
  };
  const heldBy = (id: string, worker: string): Entry | undefined => {
    const entry = entries.get(id);
    return entry !== undefined && isHeld(entry) && entry.holder?.worker === worker ? entry : undefined;
  };
  return {
    async submit({ owner, kind, request }) {
      const open = [...entries.values()].filter(
        ({ record }) => record.status === "queued" || record.status === "running",
      );
      if (open.length >= MAX_UNFINISHED || open.filter(({ record }) => record.owner === owner).length >= MAX_OF_OWNER) {
        throw new ProblemError("concurrency-limit", "The queue of background jobs is full.", { retryAfter: 30 });
      }
      const time = now();
      const record: JobRecord = {
        id: randomUUID(),
        owner,
        kind,
        request: structuredClone(request),
        status: "queued",
        created: time,
        updated: time,
        progress: 0,
      };
      entries.set(record.id, { record });
      return record;
    },
    find: async (id, owner) => {
      const record = entries.get(id)?.record;
      return record?.owner === owner ? record : undefined;
    },
    async claim(worker, leaseMs) {
      const all = [...entries.values()];
      if (all.filter(isHeld).length >= MAX_RUNNING) return undefined;
      const entry = all.find(
        (each) => each.record.status === "queued" || (each.record.status === "running" && !isHeld(each)),
      );
      if (entry === undefined) return undefined;
      entry.holder = { worker, until: now() + leaseMs };
      return update(entry, { status: "running", progress: 0 });
    },
    async renew(id, worker, progress, leaseMs) {
      const entry = heldBy(id, worker);
      if (entry === undefined) return false;
      entry.holder = { worker, until: now() + leaseMs };
      update(entry, { progress });
      return true;
    },
    async finish(id, worker, outcome) {
      const entry = heldBy(id, worker);
      if (entry === undefined) return false;
      // as JSON would keep it
      const kept = JSON.parse(JSON.stringify(outcome)) as typeof outcome;
      update(entry, "result" in kept ? { status: "done", progress: 1, ...kept } : { status: "failed", ...kept });
      return true;
    },
    async release(id, worker) {
      const entry = heldBy(id, worker);
      if (entry === undefined) return;
      delete entry.holder;
      update(entry, { status: "queued", progress: 0 });
    },
    async removeExpired(olderThan) {
      const old = [...entries.values()]
        .filter(({ record }) => record.created < olderThan)
        .map(({ record }) => record.id);
      for (const id of old) entries.delete(id);
      return old;
    },
  };
}
