// A render thread for tests: what it does is said by the id of the job's first scene.
import { parentPort, workerData } from "node:worker_threads";
import { makeBlock } from "@swath/encode";
import type { ThreadJob } from "../../../src/run/threads/engine.ts";
import type { ThreadRequest, ThreadResponse, ThreadResult } from "../../../src/run/threads/messages.ts";

const port = parentPort!;
/** One entry a thing that happened in any thread: [started, cancelled, died]. */
const counts = new Int32Array((workerData as { counts: SharedArrayBuffer }).counts);
const running = new Map<number, NodeJS.Timeout>();
/** Questions that were answered, and the job that ends with the twentieth of them. */
let questions = 0;
let slower: number | undefined;

function answer(id: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const result = { bytes, format: "png", used: [text], skipped: [], truncated: false } as const;
  port.postMessage({ kind: "result", id, result } satisfies ThreadResponse);
}

port.on("message", (request: ThreadRequest) => {
  if (request.kind === "ping") {
    port.postMessage({ kind: "pong", id: request.id } satisfies ThreadResponse);
    // a test learns from this that the pool has heard the answer before it
    port.postMessage(NO_TRAFFIC);
    questions += 1;
    if (questions === 20 && slower !== undefined) answer(slower, `slower by ${threadName}`);
    return;
  }
  if (request.kind === "cancel") {
    Atomics.add(counts, 1, 1);
    clearTimeout(running.get(request.id));
    return;
  }
  if (request.kind === "access") return;
  if (request.kind === "end") process.exit();
  const { id, job } = request;
  const what = idOf(job);
  const first = Atomics.add(counts, 0, 1) === 0;
  if (what === "dies" || (what === "dies once" && first)) {
    Atomics.add(counts, 2, 1);
    process.exit(1);
  }
  if (what === "throws outside" && first) throw new Error("Nobody catches this.");
  if (what === "hangs once" && first) {
    port.postMessage(NO_TRAFFIC);
    for (;;);
  }
  if (what === "throws")
    return port.postMessage({ kind: "failure", id, failure: { message: "It failed." } } satisfies ThreadResponse);
  if (what === "problem") {
    const failure = { code: "upstream-unavailable", message: "Later.", retryAfter: 7 } as const;
    return port.postMessage({ kind: "failure", id, failure } satisfies ThreadResponse);
  }
  if (job.kind === "extract-block" || job.kind === "compute-block") {
    if (what === "waits") return;
    return port.postMessage({ kind: "result", id, result: resultOf(job) } satisfies ThreadResponse);
  }
  if (what === "slower") {
    slower = id;
    return;
  }
  running.set(
    id,
    setTimeout(
      () => answer(id, `${what} by ${(workerData as { name?: string }).name ?? ""}${threadName}`),
      what === "waits" ? 600_000 : what === "slow" ? 300 : 5,
    ),
  );
});

function idOf(job: ThreadJob): string {
  if (job.kind === "preview") return job.scene.id;
  if (job.kind === "extract-block") return job.extract.scenes[0]!.read.id;
  if (job.kind === "compute-block") {
    const [read] = job.reads;
    return read?.kind === "scenes" ? read.scenes[0]!.id : "";
  }
  return job.kind === "tile" ? job.scenes[0]!.id : "";
}

/** A block without data, or the number 1 for a strip. */
function resultOf(job: Extract<ThreadJob, { kind: "extract-block" | "compute-block" }>): ThreadResult {
  if (job.kind === "extract-block") return { kind: "block", length: makeBlock(job.task, undefined), used: [] };
  const part = { pixels: 1, count: 1, sum: 1, mean: 1, squares: 0, min: 1, max: 1, first: 1 };
  return { parts: [part], used: [], skipped: [] };
}

const NO_TRAFFIC = {
  kind: "traffic",
  id: 0,
  traffic: { requests: 0, bytes: 0, failures: 0, paidRequests: 0, paidBytes: 0 },
} satisfies ThreadResponse;
const threadName = Math.random().toString(36).slice(2);

port.postMessage({ kind: "pong", id: 0 } satisfies ThreadResponse);
