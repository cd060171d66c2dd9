import { sleepFor } from "@swath/http";
import type { Log } from "../../log.ts";
import type { Store } from "../../store.ts";
import { errorOf, expiredSets, keepSet, progressOf, readResults, removeSet, ticketsLeft } from "./outcomes.ts";
import { openPartQueue } from "./part-queue.ts";
import { PartError, type PartKind, type PartSet, type Parts, type PartWorkOptions } from "./parts.ts";
import { startWorker, type WakefulWorker } from "./worker.ts";

/** Times of parts. */
export interface PartTimes {
  /** Shortest pause between looks into an empty queue, milliseconds; the longest is twice that. Default 1000. */
  readonly pollMs?: number;
  /** Pause between looks at the outcomes of a set, milliseconds. Default 500. */
  readonly progressMs?: number;
  /** Time that a part may take, milliseconds. Default five minutes. */
  readonly partMs?: number;
  /** Pauses before a part that met a passing fault is carried out again, milliseconds; after the last it has failed. */
  readonly retryMs?: readonly number[];
  /** A part whose worker is not heard of for this long is given to another, whole seconds. Default 30. */
  readonly heartbeatSeconds?: number;
  /** Pause between looks for such workers, on all nodes together, whole seconds. Default a third of that. */
  readonly superviseSeconds?: number;
}

/** Options of parts. */
export interface PartsOptions {
  readonly log: Log;
  readonly times?: PartTimes;
  /** The time, epoch milliseconds. */
  readonly now?: () => number;
}

/**
 * Opens parts of jobs on a store on PostgreSQL: the queue is pg-boss, over the store's connections, in the schema
 * `swath_parts`, which it makes.
 *
 * @throws {Error} on Node below 22.12, and for a store that is not on PostgreSQL.
 */
export async function openParts(store: Store, { log, times = {}, now = Date.now }: PartsOptions): Promise<Parts> {
  const {
    pollMs = 1000,
    progressMs = 500,
    partMs = 300_000,
    retryMs = [5000, 15_000, 30_000, 60_000],
    heartbeatSeconds = 30,
    superviseSeconds = Math.max(1, Math.round(heartbeatSeconds / 3)),
  } = times;
  // a worker ends a part that takes too long itself; one that does not heed its signal loses it
  const expireSeconds = Math.ceil(partMs / 1000) + heartbeatSeconds;
  const queue = await openPartQueue(store, { heartbeatSeconds, expireSeconds, superviseSeconds }, log);
  const workers = new Set<WakefulWorker>();
  let supervised = Number.NEGATIVE_INFINITY;

  const supervise = async (): Promise<void> => {
    if (performance.now() - supervised < superviseSeconds * 1000) return;
    supervised = performance.now();
    await queue.supervise().catch((error: unknown) => {
      log.warn({ err: error }, "parts of dead workers could not be given to others");
    });
  };
  /** Waits until all parts of a set are done. */
  const untilDone = async (
    { id, count }: PartSet,
    signal: AbortSignal,
    onProgress?: (done: number) => void,
  ): Promise<void> => {
    for (let shown = 0; ; ) {
      signal.throwIfAborted();
      const { done, failed, isGone } = await progressOf(store, id);
      if (isGone) {
        const message = "The parts were forgotten before all were done.";
        throw new PartError(message, undefined, { message });
      }
      if (failed !== undefined) {
        await queue.remove(id, count);
        throw new PartError(`Part ${failed} has failed.`, failed, await errorOf(store, id, failed));
      }
      if (done !== shown) onProgress?.(done);
      shown = done;
      if (done >= count) return;
      await supervise();
      await sleepFor(progressMs, signal);
    }
  };
  const forget = (id: string): Promise<readonly unknown[]> =>
    removeSet(store, id, (count, db) => queue.remove(id, count, db));
  return {
    async carryOut(set, { signal, onProgress, trace }) {
      signal.throwIfAborted();
      await keepSet(store, set, now());
      if ((await progressOf(store, set.id)).failed === undefined) {
        await queue.add(set.id, await ticketsLeft(store, set), trace);
        for (const worker of workers) worker.wake();
      }
      await untilDone(set, signal, onProgress);
      return readResults(store, set);
    },
    forget,
    async removeExpired(olderThan) {
      const results: unknown[] = [];
      for (const id of await expiredSets(store, olderThan)) results.push(...(await forget(id)));
      return results;
    },
    work(kinds: readonly PartKind[], { slots = 2 }: PartWorkOptions = {}) {
      const named = new Map(kinds.map((kind) => [kind.name, kind]));
      const touchMs = (heartbeatSeconds * 1000) / 3;
      const worker = startWorker({ store, queue, kinds: named, log }, slots, { pollMs, touchMs, partMs, retryMs });
      workers.add(worker);
      return {
        async stop() {
          workers.delete(worker);
          await worker.stop();
        },
      };
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      workers.clear();
      await queue.close();
    },
  };
}
