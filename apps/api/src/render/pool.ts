import { Worker } from "node:worker_threads";
import { leaveBlocks, type SharedBlocks, shareBlocks } from "@swath/cog";
import { ProblemError } from "@swath/problem";
import type { AreaBlock, BlockJob } from "../process/area-block.ts";
import { extract } from "../process/extract.ts";
import type { ExtractJob, ExtractOptions, ExtractOutcome } from "../process/extract-job.ts";
import type { DrawOptions } from "./draw.ts";
import type { Picture, Renderer, RenderJob } from "./job.ts";
import type { Answer, Failure, Order, WorkerSettings } from "./messages.ts";
import type { Traffic } from "./traffic.ts";

export interface PoolOptions {
  readonly threads: number;
  readonly settings: WorkerSettings;
  /** Jobs that may wait or run at once; one more is refused. */
  readonly maxJobs?: number;
  /** Pictures a thread works on at once: while one waits for bytes the others compute. Blocks of areas come on top. */
  readonly jobsPerThread?: number;
  /** Silence after which a thread with work counts as stuck and is replaced, milliseconds. */
  readonly stuckAfterMs?: number;
  /** Module that runs in each thread. */
  readonly workerUrl?: URL;
}

interface Task {
  readonly id: number;
  readonly job: RenderJob | BlockJob;
  readonly resolve: (result: Picture | AreaBlock) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
}

interface Thread {
  worker: Worker;
  readonly waiting: Task[];
  readonly running: Map<number, Task>;
  /** Clock reading of the last message from the thread. */
  heard: number;
  /** Questions sent since then. */
  asked: number;
  /** It has said something: before that it loads its code, which takes as long as it takes. */
  ready: boolean;
}

/** A job that took its thread down is tried on a fresh one this often in all. */
const MAX_ATTEMPTS = 2;
/** Time that a thread has to load its code. */
const START_MS = 30_000;
/** Threads that may share decoded blocks. */
const MAX_SHARING = 256;
/** Work in hand beyond the idlest thread's at which a job leaves the thread that knows its blocks. */
const IMBALANCE = 3;

/** Questions left open before a thread counts as stuck: when this thread itself was held up, time alone says nothing. */
const QUESTIONS = 4;

function isSilent({ heard, asked }: Thread, patienceMs: number): boolean {
  return asked >= QUESTIONS && performance.now() - heard >= patienceMs;
}

function errorOf(failure: Failure): Error {
  if (failure.code === undefined) {
    const error = new Error(failure.message);
    if (failure.stack !== undefined) error.stack = failure.stack;
    return error;
  }
  return new ProblemError(
    failure.code,
    failure.message,
    failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter },
  );
}

function closing(): ProblemError {
  return new ProblemError("upstream-unavailable", "The service is shutting down.", { retryAfter: 5 });
}

/** FNV-1a, 32 bits: the same scene goes to the same thread, whose caches know its blocks. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** Edge, in tiles, of the squares of a scene that one thread draws: a block of a file reaches over about three. */
const NEIGHBOURS = 4;

/** Jobs with the same number read the same blocks, more or less: tiles of a scene that lie near each other. */
function affinity(job: RenderJob | ExtractJob): number {
  if (job.kind === "preview") return hash(job.scene.id);
  const scene = hash(job.scenes[0]?.id ?? "");
  if (job.kind === "extract") return scene;
  const [a, , west, , e, north] = job.grid.transform;
  const across = Math.floor(west / (a * job.grid.width * NEIGHBOURS));
  const down = Math.floor(north / (e * job.grid.height * NEIGHBOURS));
  // a chessboard: squares side by side go to different threads
  return (scene + across + down) >>> 0;
}

/**
 * Draws in worker threads, so that HTTP stays responsive while every core renders. Jobs go to the thread that knows
 * their part of their first scene unless it is far busier than another. A thread that dies or falls silent is replaced, and its
 * jobs are tried once more on the new one.
 */
export class RenderPool implements Renderer {
  /** Told of what the threads read, about once a second. */
  onTraffic: (traffic: Traffic) => void = () => {};
  readonly #threads: Thread[];
  /** Decoded blocks, of which the threads keep one copy. */
  readonly #blocks: SharedBlocks;
  /** Numbers among those who share them that no thread has. */
  readonly #numbers: number[];
  readonly #options: Required<PoolOptions>;
  readonly #watch: NodeJS.Timeout;
  #jobs = 0;
  #nextId = 1;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = {
      maxJobs: 256,
      jobsPerThread: 6,
      stuckAfterMs: 15_000,
      workerUrl: new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url),
      ...options,
    };
    this.#blocks = shareBlocks({ maxBytes: options.settings.draw.blockCacheBytes, threads: options.threads });
    this.#numbers = Array.from({ length: MAX_SHARING }, (_, number) => number);
    this.#threads = Array.from({ length: options.threads }, () => {
      const thread: Thread = {
        worker: undefined as unknown as Worker,
        waiting: [],
        running: new Map(),
        heard: performance.now(),
        asked: 0,
        ready: false,
      };
      this.#start(thread);
      return thread;
    });
    this.#watch = setInterval(() => this.#replaceStuck(), Math.max(50, this.#options.stuckAfterMs / QUESTIONS));
    this.#watch.unref();
  }

  async render(job: RenderJob, { signal }: { readonly signal: AbortSignal }): Promise<Picture> {
    return this.#admitted(signal, async () => (await this.#run(job, this.#threadFor(job), signal)) as Picture);
  }

  /** Blocks of an area are made by all threads; this one puts them together. */
  async extract(job: ExtractJob, options: ExtractOptions): Promise<ExtractOutcome> {
    return this.#admitted(options.signal, () => {
      const first = this.#threads.indexOf(this.#threadFor(job));
      const block = async (order: BlockJob, maker: number, { signal }: { readonly signal: AbortSignal }) => {
        const thread = this.#threads[(first + maker) % this.#threads.length] as Thread;
        return (await this.#run(order, thread, signal)) as AreaBlock;
      };
      const { blockCacheBytes } = this.#options.settings.draw;
      const count = this.#threads.length;
      return extract(job, { count, cacheBytes: blockCacheBytes / count, block }, options);
    });
  }

  async #admitted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#jobs >= this.#options.maxJobs) {
      throw new ProblemError("upstream-unavailable", "The renderer has too much to do right now.", { retryAfter: 1 });
    }
    this.#jobs += 1;
    try {
      return await work();
    } finally {
      this.#jobs -= 1;
    }
  }

  async #run(job: RenderJob | BlockJob, thread: Thread, signal: AbortSignal): Promise<Picture | AreaBlock> {
    signal.throwIfAborted();
    if (this.#closed) throw closing();
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const leave = (): void => {
        this.#forget(id);
        settle(() => reject(signal.reason));
      };
      const settle = (then: () => void): void => {
        signal.removeEventListener("abort", leave);
        then();
      };
      signal.addEventListener("abort", leave, { once: true });
      const task: Task = {
        id,
        job,
        attempts: 0,
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      };
      thread.waiting.push(task);
      this.#feed(thread);
    });
  }

  async ping({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error("The renderer is closed.");
    const silent = this.#threads.every(
      (thread) => thread.running.size > 0 && isSilent(thread, this.#options.stuckAfterMs),
    );
    if (silent) throw new Error("No render thread answers.");
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    const error = closing();
    for (const thread of this.#threads) {
      for (const task of [...thread.waiting.splice(0), ...thread.running.values()]) task.reject(error);
      thread.running.clear();
    }
    await Promise.all(this.#threads.map((thread) => thread.worker.terminate()));
  }

  #threadFor(job: RenderJob | ExtractJob): Thread {
    const load = (thread: Thread): number => thread.waiting.length + thread.running.size;
    const preferred = this.#threads[affinity(job) % this.#threads.length] as Thread;
    const idlest = this.#threads.reduce((best, thread) => (load(thread) < load(best) ? thread : best));
    return load(preferred) - load(idlest) >= IMBALANCE ? idlest : preferred;
  }

  #start(thread: Thread): void {
    const { settings, threads } = this.#options;
    const number = this.#numbers.shift();
    const draw: DrawOptions =
      number === undefined
        ? { ...settings.draw, blockCacheBytes: settings.draw.blockCacheBytes / threads }
        : { ...settings.draw, shared: { blocks: this.#blocks, thread: number } };
    const worker = new Worker(this.#options.workerUrl, { workerData: { ...settings, draw } satisfies WorkerSettings });
    thread.worker = worker;
    thread.heard = performance.now();
    thread.asked = 0;
    thread.ready = false;
    worker.on("message", (answer: Answer) => this.#hear(thread, answer));
    worker.on("error", () => {}); // "exit" follows and handles it
    worker.on("exit", () => {
      if (number !== undefined) void leaveBlocks(this.#blocks, number).then(() => this.#numbers.push(number));
      if (!this.#closed && thread.worker === worker) this.#replace(thread);
    });
  }

  #hear(thread: Thread, answer: Answer): void {
    if (answer.kind === "traffic") {
      this.onTraffic(answer.traffic);
      return;
    }
    thread.heard = performance.now();
    thread.asked = 0;
    thread.ready = true;
    const task = thread.running.get(answer.id);
    if (answer.kind === "pong" || task === undefined) return;
    thread.running.delete(answer.id);
    if (answer.kind === "picture") task.resolve(answer.picture);
    else if (answer.kind === "block") task.resolve(answer.block);
    else task.reject(errorOf(answer.failure));
    this.#feed(thread);
  }

  #feed(thread: Thread): void {
    let pictures = 0;
    for (const { job } of thread.running.values()) if (job.kind !== "block") pictures += 1;
    for (const task of [...thread.waiting]) {
      const isPicture = task.job.kind !== "block";
      if (isPicture && pictures >= this.#options.jobsPerThread) continue;
      if (isPicture) pictures += 1;
      thread.waiting.splice(thread.waiting.indexOf(task), 1);
      task.attempts += 1;
      if (thread.running.size === 0) {
        thread.heard = performance.now();
        thread.asked = 0;
      }
      thread.running.set(task.id, task);
      thread.worker.postMessage({ kind: "render", id: task.id, job: task.job } satisfies Order);
    }
  }

  /** Takes a job out whose caller left: from the queue at once, from a thread by a message. */
  #forget(id: number): void {
    for (const thread of this.#threads) {
      const place = thread.waiting.findIndex((task) => task.id === id);
      if (place >= 0) thread.waiting.splice(place, 1);
      if (thread.running.delete(id)) {
        thread.worker.postMessage({ kind: "cancel", id } satisfies Order);
        this.#feed(thread);
      }
    }
  }

  #replaceStuck(): void {
    for (const thread of this.#threads) {
      if (thread.running.size === 0) continue;
      const patience = thread.ready ? this.#options.stuckAfterMs : Math.max(START_MS, this.#options.stuckAfterMs);
      if (!isSilent(thread, patience)) {
        thread.asked += 1;
        thread.worker.postMessage({ kind: "ping", id: 0 } satisfies Order);
        continue;
      }
      const { worker } = thread;
      this.#replace(thread);
      void worker.terminate();
    }
  }

  #replace(thread: Thread): void {
    const interrupted = [...thread.running.values()];
    thread.running.clear();
    this.#start(thread);
    for (const task of interrupted.reverse()) {
      if (task.attempts < MAX_ATTEMPTS) thread.waiting.unshift(task);
      else
        task.reject(
          new ProblemError("upstream-unavailable", "The renderer failed on this picture.", { retryAfter: 5 }),
        );
    }
    this.#feed(thread);
  }
}
