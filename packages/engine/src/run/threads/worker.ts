import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { MeasuredSpan } from "@swath/tracing";
import { measured } from "@swath/tracing/node";
import { transferable } from "../compute/compute-block.ts";
import { ThreadAccess } from "../files/access/shared-access.ts";
import { createSources } from "../files/sources.ts";
import { type OnRead, TrafficCount } from "../files/traffic.ts";
import { createRenderEngine, type ThreadJob } from "./engine.ts";
import { failureOf } from "./failure.ts";
import type { ThreadRequest, ThreadResponse, ThreadResult, ThreadSettings } from "./messages.ts";
import { addRead } from "./read-spans.ts";
import { warmUp } from "./warm-up.ts";

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread only.");

const traffic = new TrafficCount();
const { render, warmsUp } = workerData as ThreadSettings;
/**
 * Requests come first: the warm-up begins so long after the start, when the service listens and the first who waited for it
 * have their tiles, and goes on so long after the last request.
 */
const START_MS = 3000;
const QUIET_MS = 1500;
/** Jobs after which the code is compiled anyway. */
const WARM_AFTER = 20;
/** Niceness of render threads, 0 (as the main thread) to 19. */
const RENDER_PRIORITY = 5;
const send = (message: ThreadResponse, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
const onRead: OnRead = (record, isPaid) => {
  traffic.add(record, isPaid);
  addRead(record);
};
const access = new ThreadAccess((request) => send({ kind: "access", id: 0, request }));
const engine = createRenderEngine(render, createSources({ ...render.sources, onRead }, access));
const running = new Map<number, AbortController>();

/** Pause between two reports of what was read, milliseconds. */
const TRAFFIC_MS = 1000;
setInterval(() => {
  const counted = traffic.take();
  if (counted !== undefined) send({ kind: "traffic", id: 0, traffic: counted });
}, TRAFFIC_MS);

async function run(id: number, job: ThreadJob, isTraced: boolean): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  let span: MeasuredSpan | undefined;
  const keep = (work: MeasuredSpan): void => {
    span = work;
  };
  const work = () => resultOf(job, controller.signal);
  const traceOf = () => (span === undefined ? {} : { span });
  try {
    const { result, transfer } = await (isTraced ? measured(`thread ${job.kind}`, keep, work) : work());
    send({ kind: "result", id, result, ...traceOf() }, transfer);
  } catch (error) {
    send({ kind: "failure", id, failure: failureOf(error), ...traceOf() });
  } finally {
    running.delete(id);
  }
}

async function resultOf(
  job: ThreadJob,
  signal: AbortSignal,
): Promise<{ result: ThreadResult; transfer?: ArrayBuffer[] }> {
  if (job.kind === "extract-block") return { result: await engine.extractBlock(job, { signal }) };
  if (job.kind === "compute-block") {
    const result = await engine.computeBlock(job, { signal });
    return { result, transfer: transferable(result) };
  }
  const image = await engine.image(job, { signal });
  // an array with a buffer of its own can be transferred; Node's buffers (views, their memory not always movable) and
  // views of larger ones are copied first
  const { bytes } = image;
  const isOwn = bytes.byteLength === bytes.buffer.byteLength && !Buffer.isBuffer(bytes);
  const own = isOwn ? bytes : new Uint8Array(bytes);
  return { result: { ...image, bytes: own }, transfer: [own.buffer] };
}

let jobs = 0;
let lastJob = performance.now();

/** Waits until no job has come for a while; false after enough jobs that everything is compiled. */
async function quiet(): Promise<boolean> {
  for (;;) {
    if (jobs >= WARM_AFTER) return false;
    const pause = jobs === 0 ? START_MS : QUIET_MS;
    const wait = running.size > 0 ? pause : lastJob + pause - performance.now();
    if (wait <= 0) return true;
    await new Promise((resolve) => setTimeout(resolve, wait).unref());
  }
}

port.on("message", (request: ThreadRequest) => {
  if (request.kind === "run") {
    if (request.job.kind === "tile" || request.job.kind === "preview") jobs += 1;
    lastJob = performance.now();
    void run(request.id, request.job, request.isTraced);
  } else if (request.kind === "cancel") {
    running.get(request.id)?.abort(new Error("Cancelled: nobody waits for this job."));
  } else if (request.kind === "access") access.receive(request.answer);
  else if (request.kind === "end") process.exit();
  else send({ kind: "pong", id: request.id });
});

try {
  // the main thread answers requests, so it goes first (on Linux a priority is a thread's own, elsewhere the process's)
  if (process.platform === "linux") setPriority(RENDER_PRIORITY);
} catch {
  // where that is not allowed all threads are equal
}

// ready: from now on silence means that it is stuck
send({ kind: "pong", id: 0 });

if (warmsUp === true) {
  // it saves time and nothing else: without it the first tiles are slower
  warmUp(quiet).catch(() => {});
}
