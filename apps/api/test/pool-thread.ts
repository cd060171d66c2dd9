// A render thread for tests: what it does is said by the id of the job's first scene.
import { parentPort, workerData } from "node:worker_threads";
import { makeBlock } from "@swath/encode";
import type { Answer, Order } from "../src/render/messages.ts";

const port = parentPort!;
/** One entry a thing that happened in any thread: [started, cancelled, died]. */
const counts = new Int32Array((workerData as { counts: SharedArrayBuffer }).counts);
const running = new Map<number, NodeJS.Timeout>();

function answer(id: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  port.postMessage({
    kind: "picture",
    id,
    picture: { bytes, format: "png", used: [text], skipped: [], truncated: false },
  } satisfies Answer);
}

port.on("message", (order: Order) => {
  if (order.kind === "ping") return port.postMessage({ kind: "pong", id: order.id } satisfies Answer);
  if (order.kind === "cancel") {
    Atomics.add(counts, 1, 1);
    clearTimeout(running.get(order.id));
    return;
  }
  const { id, job } = order;
  const scenes = job.kind === "preview" ? [job.scene] : job.kind === "tile" ? job.scenes : job.area.scenes;
  const what = scenes[0]!.id;
  const first = Atomics.add(counts, 0, 1) === 0;
  if (what === "dies" || (what === "dies once" && first)) {
    Atomics.add(counts, 2, 1);
    process.exit(1);
  }
  if (what === "throws outside" && first) throw new Error("Nobody catches this.");
  if (what === "hangs" || (what === "hangs once" && first)) for (;;);
  if (what === "throws")
    return port.postMessage({ kind: "failure", id, failure: { message: "It failed." } } satisfies Answer);
  if (what === "problem") {
    const failure = { code: "upstream-unavailable", message: "Later.", retryAfter: 7 } as const;
    return port.postMessage({ kind: "failure", id, failure } satisfies Answer);
  }
  if (job.kind === "block") {
    // blocks without data
    const length = makeBlock(job.order, undefined);
    const made = { kind: "block", id, block: { kind: "block", length, used: [] } } satisfies Answer;
    if (what === "waits") return;
    return port.postMessage(made);
  }
  running.set(
    id,
    setTimeout(
      () => answer(id, `${what} by ${(workerData as { name?: string }).name ?? ""}${threadName}`),
      what === "waits" ? 600_000 : what === "slow" ? 300 : what === "slower" ? 3000 : 5,
    ),
  );
});

const threadName = Math.random().toString(36).slice(2);

port.postMessage({ kind: "pong", id: 0 } satisfies Answer);
