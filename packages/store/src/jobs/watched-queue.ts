import type { JobQueue } from "./queue.ts";

/** Silence after which a queue counts as left alone, milliseconds: it is asked for jobs each second, and leases are renewed. */
const SILENCE_MS = 30_000;

/** A queue that knows when it last answered a worker. */
export interface WatchedQueue extends JobQueue {
  /**
   * @throws {Error} where the queue has not answered the runner of this process for half a minute.
   */
  checkWorker(): void;
}

/** Notes when `queue` answers: a runner that got stuck, or whose questions all fail, is seen by that. */
export function watchedQueue(queue: JobQueue, now: () => number = () => performance.now()): WatchedQueue {
  let heard = now();
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    const answer = await work;
    heard = now();
    return answer;
  };
  return {
    submit: (job) => queue.submit(job),
    find: (id, owner) => queue.find(id, owner),
    claim: (...given) => noted(queue.claim(...given)),
    renew: (...given) => noted(queue.renew(...given)),
    finish: (...given) => noted(queue.finish(...given)),
    release: (...given) => noted(queue.release(...given)),
    removeExpired: (olderThan) => queue.removeExpired(olderThan),
    checkWorker() {
      const silence = now() - heard;
      if (silence > SILENCE_MS) throw new Error(`The queue has not answered for ${Math.round(silence / 1000)} s.`);
    },
  };
}
