import { LimitError } from "../../errors.ts";
import type { Admitted } from "./admission.ts";

/** Requests of one map that wait on a node. */
const MAX_WAITING = 100;
/** Longest time for which a request waits, milliseconds. */
const PATIENCE_MS = 10_000;
/** Pause before a request asks again on its own: another node may have ended one, milliseconds. */
const PAUSE_MS = 250;

/**
 * Lets requests of a map wait for those before them: a view of a map asks for twenty tiles at once, and clients of maps do not
 * ask again for what was refused.
 */
export class MapTurns {
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * Reserves as soon as fewer requests run.
   *
   * @throws {LimitError} what `reserve` throws; `concurrency` of a request that waited for ten seconds, or behind a hundred others.
   */
  async take(map: string, reserve: () => Promise<Admitted>): Promise<Admitted> {
    const started = performance.now();
    for (;;) {
      try {
        return this.#watched(map, await reserve());
      } catch (error) {
        const isBusy = error instanceof LimitError && error.code === "concurrency";
        const waiting = this.#waiting.get(map)?.length ?? 0;
        if (!isBusy || waiting >= MAX_WAITING || performance.now() - started > PATIENCE_MS) throw error;
        await this.#wait(map);
      }
    }
  }

  #wait(map: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(map) ?? [];
      this.#waiting.set(map, queue);
      const go = (): void => {
        clearTimeout(timer);
        queue.splice(queue.indexOf(go), 1);
        if (queue.length === 0 && this.#waiting.get(map) === queue) this.#waiting.delete(map);
        resolve();
      };
      const timer = setTimeout(go, PAUSE_MS);
      queue.push(go);
    });
  }

  /** Wakes the first that waits when a request ends; an answer that caches share says nothing of one account's units. */
  #watched(map: string, admitted: Admitted): Admitted {
    const next = (): void => this.#waiting.get(map)?.[0]?.();
    return {
      async charge(units, fileBytes) {
        try {
          await admitted.charge(units, fileBytes);
          return undefined;
        } finally {
          next();
        }
      },
      async release(why) {
        try {
          await admitted.release(why);
        } finally {
          next();
        }
      },
      refund: () => admitted.refund?.(),
    };
  }
}
