import { Worker } from "node:worker_threads";
import { detachSharedBlocks, type SharedBlocks, shareBlocks } from "@swath/cog/threads";
import { whenAborted } from "@swath/http";
import { type SpanReceiver, spanReceiver } from "@swath/tracing";
import { Refusal } from "../../refusal.ts";
import { compute } from "../compute/compute.ts";
import type { ComputedBlock } from "../compute/compute-block.ts";
import type { ComputeJob, ComputeOptions, ComputeResult } from "../compute/compute-job.ts";
import { extract } from "../extract/extract.ts";
import type { ExtractBlockOutcome } from "../extract/extract-block.ts";
import type { ExtractJob, ExtractOptions, ExtractOutcome } from "../extract/extract-job.ts";
import { AccessServer, createSharedAccess, type ProcessAccess } from "../files/access/shared-access.ts";
import type { SourceSettings } from "../files/sources.ts";
import type { ImageJob, RenderedImage, RenderOptions } from "../job.ts";
import type { RenderSettings } from "../resources.ts";
import { affinity, type PoolJob } from "./affinity.ts";
import type { ThreadJob } from "./engine.ts";
import { errorOf } from "./failure.ts";
import type { ThreadRequest, ThreadResponse, ThreadResult, ThreadSettings } from "./messages.ts";
import type { ServiceRenderer } from "./service-renderer.ts";

/** Options of `RenderPool`. */
export interface PoolOptions {
  readonly threads: number;
  readonly settings: ThreadSettings;
  /** Jobs that may be queued or running; one more is refused. */
  readonly maxJobs?: number;
  /** Images a thread works on at once: while one waits for bytes the others compute. Blocks of GeoTIFFs come on top. */
  readonly jobsPerThread?: number;
  /** Silence after which a thread with work counts as stuck and is replaced, milliseconds. */
  readonly stuckAfterMs?: number;
  /** Module that runs in each thread. */
  readonly workerUrl?: URL;
}

interface Task {
  readonly id: number;
  readonly job: ThreadJob;
  readonly resolve: (result: ThreadResult) => void;
  readonly reject: (error: unknown) => void;
  /** Takes what the thread measures, where the caller's trace is recorded. */
  readonly onSpan: SpanReceiver | undefined;
  attempts: number;
}

/** A worker and the two moments of its life that others wait for. */
interface Started {
  readonly worker: Worker;
  /** Resolves when it has loaded its code, or has ended. */
  readonly loaded: Promise<void>;
  readonly ended: Promise<void>;
}

interface Thread {
  /** Absent before its first job, where threads do not warm up. */
  started: Started | undefined;
  /** Carries out what the worker asks of the shared access. */
  access: AccessServer | undefined;
  readonly waiting: Task[];
  readonly running: Map<number, Task>;
  /** Clock reading of the last message from the thread. */
  heard: number;
  /** Pings sent since then. */
  pings: number;
  /** It has sent a message: before that it loads its code, which takes as long as it takes. */
  ready: boolean;
}

/** Attempts in all at a job whose thread ends while it runs. */
const MAX_ATTEMPTS = 2;
/** Time that a thread has to load its code. */
const START_MS = 30_000;
/** Time that a thread has to end by itself: one that computes without a pause does not hear that it should. */
const END_MS = 2000;
/** Most threads that share decoded blocks. */
const MAX_SHARING = 256;
/** Jobs beyond those of the idlest thread at which a job goes there instead of to the thread that has its blocks. */
const IMBALANCE = 3;

/** Unanswered pings before a thread counts as stuck: when this thread itself was held up, time alone proves nothing. */
const MAX_PINGS = 4;

/** Whether a promise resolves within a time. */
async function isWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Ends a thread between two of its tasks. `terminate` stops it wherever it is, and Node 24 aborts the whole process where
 * that is within the loading of a module (nodejs/node#60755): it is for a thread that does not end by itself.
 */
async function endThread({ worker, loaded, ended }: Started): Promise<void> {
  await isWithin(loaded, START_MS);
  worker.postMessage({ kind: "end", id: 0 } satisfies ThreadRequest);
  if (!(await isWithin(ended, END_MS))) await worker.terminate();
}

function isSilent({ heard, pings }: Thread, patienceMs: number): boolean {
  return pings >= MAX_PINGS && performance.now() - heard >= patienceMs;
}

function closing(): Refusal {
  return new Refusal("upstream-unavailable", [], "The service is shutting down.", { retryAfter: 5 });
}

/** Images bound what a thread works on at once; parts of larger jobs bound themselves. */
const isImage = ({ kind }: ThreadJob): boolean => kind === "tile" || kind === "preview" || kind === "parent";

/**
 * Renders in worker threads, so that HTTP stays responsive while every core renders. Jobs go to the thread that rendered
 * their part of their first scene unless it is far busier than another. A thread that ends or does not answer is
 * replaced, and its jobs are tried once more on the new one. Threads that do not warm up start at their first job.
 */
export class RenderPool implements ServiceRenderer {
  /** Called with what the threads read, about once a second. */
  onTraffic: ServiceRenderer["onTraffic"] = () => {};
  onCredential: ServiceRenderer["onCredential"] = () => {};
  /** Shared with this thread: the same tokens, paces and keys. */
  readonly access: ProcessAccess;
  readonly #threads: Thread[];
  /** Decoded blocks, one copy for all threads. */
  readonly #blocks: SharedBlocks;
  /** Numbers in the shared blocks that no thread has. */
  readonly #numbers: number[];
  readonly #options: Required<PoolOptions>;
  readonly #watch: NodeJS.Timeout;
  #jobs = 0;
  #nextId = 1;
  #closed = false;

  constructor(options: PoolOptions) {
    const { sources } = options.settings.render;
    this.access = createSharedAccess({ ...sources, onCredential: (...change) => this.onCredential(...change) });
    this.#options = {
      maxJobs: 256,
      jobsPerThread: 6,
      stuckAfterMs: 15_000,
      workerUrl: new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url),
      ...options,
    };
    this.#blocks = shareBlocks({ maxBytes: options.settings.render.blockCacheBytes, threads: options.threads });
    this.#numbers = Array.from({ length: MAX_SHARING }, (_, number) => number);
    this.#threads = Array.from({ length: options.threads }, () => {
      const thread: Thread = {
        started: undefined,
        access: undefined,
        waiting: [],
        running: new Map(),
        heard: performance.now(),
        pings: 0,
        ready: false,
      };
      if (options.settings.warmsUp) this.#start(thread);
      return thread;
    });
    this.#watch = setInterval(() => this.#replaceStuck(), Math.max(50, this.#options.stuckAfterMs / MAX_PINGS));
    this.#watch.unref();
  }

  async render(job: ImageJob, { signal }: RenderOptions): Promise<RenderedImage> {
    return this.#admitted(signal, async () => (await this.#run(job, this.#threadFor(job), signal)) as RenderedImage);
  }

  /** All threads make blocks of the GeoTIFF; this one writes them. */
  async extract(job: ExtractJob, options: ExtractOptions): Promise<ExtractOutcome> {
    return this.#admitted(options.signal, () => {
      const { blockCacheBytes } = this.#options.settings.render;
      const { count, block } = this.#workersFor<ExtractBlockOutcome>(job);
      return extract(job, { count, cacheBytes: blockCacheBytes / count, block }, options);
    });
  }

  /** All threads compute strips of the grids; this one adds them up, or puts them together. */
  async compute(job: ComputeJob, options: ComputeOptions): Promise<ComputeResult> {
    return this.#admitted(options.signal, () => compute(job, this.#workersFor<ComputedBlock>(job), options));
  }

  /** The threads as workers on parts of one job, beginning with the one that has its blocks; groups choose theirs themselves. */
  #workersFor<T extends ThreadResult>(job: ExtractJob | ComputeJob) {
    const first = job.kind === "extract" ? this.#threads.indexOf(this.#threadFor(job)) : 0;
    const block = async (part: ThreadJob, worker: number, { signal }: RenderOptions): Promise<T> => {
      const thread = this.#threads[(first + worker) % this.#threads.length] as Thread;
      return (await this.#run(part, thread, signal)) as T;
    };
    return { count: this.#threads.length, block };
  }

  async #admitted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#jobs >= this.#options.maxJobs) {
      throw new Refusal("upstream-unavailable", [], "The renderer has too much to do right now.", { retryAfter: 1 });
    }
    this.#jobs += 1;
    try {
      return await work();
    } finally {
      this.#jobs -= 1;
    }
  }

  async #run(job: ThreadJob, thread: Thread, signal: AbortSignal): Promise<ThreadResult> {
    signal.throwIfAborted();
    if (this.#closed) throw closing();
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const abort = (): void => {
        this.#cancel(id);
        settle(() => reject(signal.reason));
      };
      const settle = (then: () => void): void => {
        ended();
        then();
      };
      const ended = whenAborted(signal, abort);
      const task: Task = {
        id,
        job,
        attempts: 0,
        onSpan: spanReceiver(),
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      };
      thread.waiting.push(task);
      this.#feed(thread);
    });
  }

  get sources(): SourceSettings {
    return this.#options.settings.render.sources;
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
      thread.access?.close();
      for (const task of [...thread.waiting.splice(0), ...thread.running.values()]) task.reject(error);
      thread.running.clear();
    }
    await Promise.all(this.#threads.map(({ started }) => started && endThread(started)));
  }

  #threadFor(job: PoolJob): Thread {
    const load = (thread: Thread): number => thread.waiting.length + thread.running.size;
    const preferred = this.#threads[affinity(job) % this.#threads.length] as Thread;
    const idlest = this.#threads.reduce((best, thread) => (load(thread) < load(best) ? thread : best));
    return load(preferred) - load(idlest) >= IMBALANCE ? idlest : preferred;
  }

  #start(thread: Thread): Started {
    const { settings, threads } = this.#options;
    const number = this.#numbers.shift();
    const render: RenderSettings =
      number === undefined
        ? { ...settings.render, blockCacheBytes: settings.render.blockCacheBytes / threads }
        : { ...settings.render, shared: { blocks: this.#blocks, thread: number } };
    const worker = new Worker(this.#options.workerUrl, {
      workerData: { ...settings, render } satisfies ThreadSettings,
    });
    thread.access?.close();
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const loaded = Promise.race([new Promise<void>((resolve) => worker.once("message", () => resolve())), ended]);
    const started = { worker, loaded, ended };
    thread.started = started;
    thread.access = new AccessServer(this.access, (answer) =>
      worker.postMessage({ kind: "access", id: 0, answer } satisfies ThreadRequest),
    );
    thread.heard = performance.now();
    thread.pings = 0;
    thread.ready = false;
    worker.on("message", (response: ThreadResponse) => this.#receive(thread, response));
    worker.on("error", () => {}); // "exit" follows and handles it
    worker.on("exit", () => {
      if (number !== undefined) void detachSharedBlocks(this.#blocks, number).then(() => this.#numbers.push(number));
      if (!this.#closed && thread.started === started) this.#replace(thread);
    });
    return started;
  }

  #receive(thread: Thread, response: ThreadResponse): void {
    if (response.kind === "traffic") {
      this.onTraffic(response.traffic);
      return;
    }
    if (response.kind === "access") {
      thread.access?.receive(response.request);
      return;
    }
    thread.heard = performance.now();
    thread.pings = 0;
    thread.ready = true;
    const task = thread.running.get(response.id);
    if (response.kind === "pong" || task === undefined) return;
    thread.running.delete(response.id);
    if (response.span !== undefined) task.onSpan?.(response.span);
    if (response.kind === "result") task.resolve(response.result);
    else task.reject(errorOf(response.failure));
    this.#feed(thread);
  }

  #feed(thread: Thread): void {
    let images = 0;
    for (const { job } of thread.running.values()) if (isImage(job)) images += 1;
    for (const task of [...thread.waiting]) {
      if (isImage(task.job) && images >= this.#options.jobsPerThread) continue;
      if (isImage(task.job)) images += 1;
      thread.waiting.splice(thread.waiting.indexOf(task), 1);
      task.attempts += 1;
      if (thread.running.size === 0) {
        thread.heard = performance.now();
        thread.pings = 0;
      }
      thread.running.set(task.id, task);
      const isTraced = task.onSpan !== undefined;
      const { worker } = thread.started ?? this.#start(thread);
      worker.postMessage({ kind: "run", id: task.id, job: task.job, isTraced } satisfies ThreadRequest);
    }
  }

  /** Removes a job that nobody waits for: from the queue at once, from a thread by a message. */
  #cancel(id: number): void {
    for (const thread of this.#threads) {
      const index = thread.waiting.findIndex((task) => task.id === id);
      if (index >= 0) thread.waiting.splice(index, 1);
      if (thread.running.delete(id)) {
        thread.started?.worker.postMessage({ kind: "cancel", id } satisfies ThreadRequest);
        this.#feed(thread);
      }
    }
  }

  #replaceStuck(): void {
    for (const thread of this.#threads) {
      if (thread.started === undefined || thread.running.size === 0) continue;
      const { worker } = thread.started;
      const patience = thread.ready ? this.#options.stuckAfterMs : Math.max(START_MS, this.#options.stuckAfterMs);
      if (!isSilent(thread, patience)) {
        thread.pings += 1;
        worker.postMessage({ kind: "ping", id: 0 } satisfies ThreadRequest);
        continue;
      }
      this.#replace(thread);
      // it has not answered for long: it hears no request to end either
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
        task.reject(new Refusal("upstream-unavailable", [], "The renderer failed on this image.", { retryAfter: 5 }));
    }
    this.#feed(thread);
  }
}
