import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ProblemError } from "@swath/problem";
import { translateError } from "../http/translate.ts";
import { createDrawer } from "./draw.ts";
import type { Answer, Failure, Order, WorkerSettings } from "./messages.ts";
import { TrafficCount } from "./traffic.ts";
import { warmUp } from "./warm-up.ts";

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread only.");

const traffic = new TrafficCount();
const { draw, warmsUp } = workerData as WorkerSettings;
/** Those who already wait are answered first: so long after the start, and after the last order, it warms up. */
const START_MS = 250;
const QUIET_MS = 1500;
/** Pictures after which nothing is left to warm up. */
const WARM_AFTER = 20;
/** Niceness of render threads, 0 (as the main thread) to 19. */
const RENDER_PRIORITY = 5;
const drawer = createDrawer({ ...draw, sources: { ...draw.sources, onRead: traffic.add } });
const running = new Map<number, AbortController>();

function failureOf(error: unknown): Failure {
  const known = translateError(error);
  if (known instanceof ProblemError) {
    return {
      code: known.code,
      message: known.message,
      ...(known.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
    };
  }
  const unknown = error instanceof Error ? error : new Error(String(error));
  return { message: unknown.message, ...(unknown.stack === undefined ? {} : { stack: unknown.stack }) };
}

const answer = (message: Answer, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** Pause between two words of what was read, milliseconds. */
const TRAFFIC_MS = 1000;
setInterval(() => {
  const counted = traffic.take();
  if (counted !== undefined) answer({ kind: "traffic", id: 0, traffic: counted });
}, TRAFFIC_MS);

async function render(id: number, order: Extract<Order, { kind: "render" }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    if (order.job.kind === "block") {
      const block = await drawer.block(order.job, { signal: controller.signal });
      return answer({ kind: "block", id, block });
    }
    const picture = await drawer.draw(order.job, { signal: controller.signal });
    // bytes of their own can be handed over; Node's buffers (their slice is a view, their memory not always movable) and
    // views into larger ones are copied first
    const { bytes } = picture;
    const isOwn = bytes.byteLength === bytes.buffer.byteLength && !Buffer.isBuffer(bytes);
    const own = isOwn ? bytes : new Uint8Array(bytes);
    answer({ kind: "picture", id, picture: { ...picture, bytes: own } }, [own.buffer]);
  } catch (error) {
    answer({ kind: "failure", id, failure: failureOf(error) });
  } finally {
    running.delete(id);
  }
}

let orders = 0;
let lastOrder = performance.now();

/** Waits until nobody has asked for a while; false when so many have that everything is compiled. */
async function quiet(): Promise<boolean> {
  for (;;) {
    if (orders >= WARM_AFTER) return false;
    const pause = orders === 0 ? START_MS : QUIET_MS;
    const wait = running.size > 0 ? pause : lastOrder + pause - performance.now();
    if (wait <= 0) return true;
    await new Promise((resolve) => setTimeout(resolve, wait).unref());
  }
}

port.on("message", (order: Order) => {
  if (order.kind === "render") {
    if (order.job.kind !== "block") orders += 1;
    lastOrder = performance.now();
    void render(order.id, order);
  } else if (order.kind === "cancel") {
    running.get(order.id)?.abort(new Error("Cancelled: nobody waits for this picture."));
  } else answer({ kind: "pong", id: order.id });
});

try {
  // the main thread answers people: it goes first (on Linux a priority is a thread's own, elsewhere the process's)
  if (process.platform === "linux") setPriority(RENDER_PRIORITY);
} catch {
  // where that is not allowed all threads are equal
}

// ready: from now on silence means that it is stuck
answer({ kind: "pong", id: 0 });

if (warmsUp === true) {
  // it saves time and nothing else: without it the first tiles are slower
  warmUp(quiet).catch(() => {});
}
