import { Worker } from "node:worker_threads";
import type { BlockEncoding } from "../geotiff/block.ts";
import type { Deflate } from "../geotiff/deflate.ts";

/** A thread that deflates. */
export interface DeflateThread {
  /** As `deflateRuns`, there. Rejects when the thread fails; the next call starts another. */
  readonly deflate: Deflate;
  /** Applies a predictor there first; for the writer's option of this name. */
  readonly encodeBlock: (block: Uint8Array, encoding: BlockEncoding) => Promise<Uint8Array>;
  /** Memory that the thread reads without a copy. */
  allocate(length: number): Uint8Array;
  /** Ends the thread; what it was asked for rejects. */
  close(): Promise<void>;
}

/** What the thread is asked. */
export interface DeflateOrder {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly encoding?: BlockEncoding;
}

interface Waiting {
  readonly resolve: (stream: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/**
 * `deflateRuns` in a thread of its own, so that whoever makes the blocks goes on meanwhile. The thread starts with the
 * first block and does not keep the process alive.
 */
export function createDeflateThread(): DeflateThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let nextId = 0;

  const start = (): Worker => {
    const file = import.meta.url.endsWith(".ts") ? "./deflate-worker.ts" : "./deflate-worker.js";
    const started = new Worker(new URL(file, import.meta.url));
    started.on("message", ({ id, stream }: { readonly id: number; readonly stream: Uint8Array }) => {
      waiting.get(id)?.resolve(stream);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
    });
    const end = (error: Error): void => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("error", end);
    started.on("exit", () => end(new Error("The thread that deflates has ended.")));
    return started;
  };
  const ask = (bytes: Uint8Array, encoding?: BlockEncoding): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      // somebody waits: now it does keep the process alive
      worker.ref();
      worker.postMessage({ id, bytes, ...(encoding === undefined ? {} : { encoding }) } satisfies DeflateOrder);
    });
  return {
    deflate: (bytes) => ask(bytes),
    encodeBlock: ask,
    allocate: (length) => new Uint8Array(new SharedArrayBuffer(length)),
    async close() {
      await worker?.terminate();
    },
  };
}
