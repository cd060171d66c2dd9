import { sleepFor } from "@swath/http";
import type { Log } from "../../log.ts";
import type { Store } from "../../store.ts";
import { choosePart, findSet, keepOutcome, type PartOutcome } from "./outcomes.ts";
import type { Claim, PartQueue } from "./part-queue.ts";
import { type PartKind, type PartSet, PartTimeoutError, type PartWorker } from "./parts.ts";

/** A part during which this many workers died is not carried out again. */
const MOST_WORKERS = 5;
/** Sets of which a process remembers the task, which may have a megabyte. */
const MOST_SETS = 8;
/** Tries to keep an outcome while the store does not answer. */
const MOST_TRIES = 30;

/** Times of a worker, milliseconds. */
export interface WorkerTimes {
  /** Shortest pause between looks into an empty queue; the longest is twice that. */
  readonly pollMs: number;
  /** Pause after which the queue is told that parts are being carried out. */
  readonly touchMs: number;
  /** Time that a part may take. */
  readonly partMs: number;
  /** Pauses before a part that met a passing fault is carried out again; after the last it has failed. */
  readonly retryMs: readonly number[];
}

/** The parts of a worker. */
export interface WorkerParts {
  readonly store: Store;
  readonly queue: PartQueue;
  readonly kinds: ReadonlyMap<string, PartKind>;
  readonly log: Log;
}

/** The reason of the signal that ends a part's work. */
class PartEnd extends Error {
  override readonly name = "PartEnd";
  readonly why: "timeout" | "taken" | "stopping";
  constructor(why: PartEnd["why"]) {
    super(`The part was ended: ${why}.`);
    this.why = why;
  }
}

interface RunningPart {
  readonly claim: Claim;
  readonly controller: AbortController;
  readonly work: Promise<void>;
}

/** A worker that others may wake when there is work. */
export interface WakefulWorker extends PartWorker {
  wake(): void;
}

/** Takes parts and carries them out, until it is stopped. */
export function startWorker(parts: WorkerParts, slots: number, times: WorkerTimes): WakefulWorker {
  const { queue, log } = parts;
  const sets = setCache(parts.store);
  const running = new Set<RunningPart>();
  let stopped = false;
  // a slot became free, or there may be work, since the queue was asked
  let isWoken = false;
  let wakeUp: (() => void) | undefined;

  const wake = (): void => {
    isWoken = true;
    wakeUp?.();
  };
  const pause = async (): Promise<void> => {
    if (isWoken || stopped) return;
    await new Promise<void>((resolve) => {
      // where all slots are taken, the end of a part wakes the worker
      const ms = times.pollMs * (1 + Math.random());
      const timer = running.size < slots ? setTimeout(resolve, ms) : undefined;
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wakeUp = undefined;
  };
  const start = (claim: Claim): void => {
    const controller = new AbortController();
    const work = carryOut({ ...parts, sets }, claim, controller, times).finally(() => {
      running.delete(part);
      wake();
    });
    const part = { claim, controller, work };
    running.add(part);
  };
  const look = async (): Promise<void> => {
    while (!stopped) {
      isWoken = false;
      try {
        if (running.size < slots) for (const claim of await queue.take(slots - running.size)) start(claim);
      } catch (error) {
        log.error({ err: error }, "the queue of parts does not answer");
      }
      await pause();
    }
  };
  const touch = async (): Promise<void> => {
    const touched = [...running];
    if (touched.length === 0) return;
    const kept = await queue.touch(touched.map(({ claim }) => claim));
    for (const { claim, controller } of touched) if (!kept.has(claim.id)) controller.abort(new PartEnd("taken"));
  };

  const looking = look();
  const touching = setInterval(() => {
    touch().catch((error: unknown) => log.warn({ err: error }, "parts that run could not be renewed"));
  }, times.touchMs);
  return {
    wake,
    async stop() {
      stopped = true;
      wake();
      await looking;
      for (const { controller } of running) controller.abort(new PartEnd("stopping"));
      await Promise.all([...running].map(({ work }) => work));
      clearInterval(touching);
    },
  };
}

/** A set of which this process carries parts out. */
interface KnownSet {
  readonly found: Promise<PartSet | undefined>;
  /** Chooses the part of a ticket, each time the next one where that is free: neighbours need the same blocks of files. */
  choose(claim: Claim): ReturnType<typeof choosePart>;
}

type Sets = (id: string) => KnownSet;

/** Reads each set once while it is among those that were used last. */
function setCache(store: Store): Sets {
  const known = new Map<string, KnownSet>();
  return (id) => {
    const set = known.get(id) ?? knownSet(store, id);
    known.delete(id);
    known.set(id, set);
    const forget = (): void => {
      if (known.get(id) === set) known.delete(id);
    };
    set.found.then((found) => found ?? forget(), forget);
    for (const [oldest] of known) {
      if (known.size <= MOST_SETS) break;
      known.delete(oldest);
    }
    return set;
  };
}

function knownSet(store: Store, id: string): KnownSet {
  let last: Promise<number | undefined> = Promise.resolve(undefined);
  return {
    found: findSet(store, id),
    choose(claim) {
      // one after the other: two slots take neighbours
      const before = last;
      const chosen = before.then((n) => choosePart(store, claim, n));
      last = chosen.then(
        (part) => part?.n,
        () => before,
      );
      return chosen;
    },
  };
}

interface CarryOutParts extends WorkerParts {
  readonly sets: Sets;
}

/** A part that this worker carries out. */
interface Run {
  readonly claim: Claim;
  readonly n: number;
  readonly set: PartSet;
  readonly signal: AbortSignal;
  readonly times: WorkerTimes;
}

/** Carries the part of a ticket out. Never rejects: an error is the part's outcome, or is logged. */
async function carryOut(
  parts: CarryOutParts,
  claim: Claim,
  controller: AbortController,
  times: WorkerTimes,
): Promise<void> {
  const { sets, kinds, queue, log } = parts;
  const timeout = setTimeout(() => controller.abort(new PartEnd("timeout")), times.partMs);
  try {
    const known = sets(claim.set);
    const set = await known.found;
    const part = set === undefined ? undefined : await known.choose(claim);
    // the set is gone, or another worker was taken for dead and has ended the part
    if (set === undefined || part === undefined || part.isDone) return await queue.end(claim);
    const run = { claim, n: part.n, set, signal: controller.signal, times };
    const kind = kinds.get(set.kind);
    if (claim.retryCount - claim.returned >= MOST_WORKERS) {
      await keep(parts, run, gaveUp(`The part ended ${MOST_WORKERS} workers before it was finished.`));
    } else if (kind === undefined) {
      await tryAgain(parts, run, gaveUp(`No part is of kind "${set.kind}".`));
    } else await carryOutBy(kind, parts, run);
  } catch (error) {
    // the queue hears of the part no longer, and gives it to another worker
    log.error({ err: error, set: claim.set, ticket: claim.ticket }, "the outcome of a part could not be kept");
  } finally {
    clearTimeout(timeout);
  }
}

const gaveUp = (message: string): unknown => ({ message });

async function carryOutBy(kind: PartKind, parts: CarryOutParts, run: Run): Promise<void> {
  const { claim, n, set, signal } = run;
  let result: unknown;
  try {
    signal.throwIfAborted();
    const { trace } = claim;
    result = await kind.run(set.task, n, trace === undefined ? { signal } : { signal, trace });
  } catch (error) {
    const end = signal.reason instanceof PartEnd ? signal.reason.why : undefined;
    if (end === "stopping") await parts.queue.giveBack(claim, { isFault: false, seconds: 0 });
    if (end === "stopping" || end === "taken") return;
    const fault = kind.faultOf(end === "timeout" ? new PartTimeoutError() : error);
    if (fault.passes === true) await tryAgain(parts, run, fault.error);
    else await keep(parts, run, fault.error);
    return;
  }
  const stands = await settle(parts, run, { result: toJson(result) });
  if (stands) return;
  await kind.discard(result).catch((error: unknown) => {
    parts.log.warn({ err: error, set: set.id, part: n }, "the result of a part could not be discarded");
  });
}

const toJson = (value: unknown): string => JSON.stringify(value ?? null);

/** Hands a part back to be carried out after a pause; after the last pause the error is its outcome. */
async function tryAgain(parts: CarryOutParts, run: Run, error: unknown): Promise<void> {
  const { claim, times } = run;
  const ms = times.retryMs[claim.faults];
  if (ms === undefined) await keep(parts, run, error);
  else await parts.queue.giveBack(claim, { isFault: true, seconds: ms / 1000 });
}

async function keep(parts: CarryOutParts, run: Run, error: unknown): Promise<void> {
  await settle(parts, run, { error: toJson(error) });
}

/**
 * Keeps the outcome of a part in the transaction that ends its ticket. While the store does not answer it is tried
 * again: the answer to a commit may have been lost, and a result that is kept must not be discarded.
 *
 * @returns whether the outcome stands.
 */
async function settle(
  { store, queue, log }: CarryOutParts,
  { set: { id: set }, n }: Run,
  outcome: PartOutcome,
): Promise<boolean> {
  for (let left = MOST_TRIES; ; left--) {
    try {
      return await store.transaction(`part ${n} ${set}`, async (db) => {
        const { stands, ticket } = await keepOutcome(db, { set, n }, outcome);
        if (ticket !== undefined) await queue.end({ set, ticket }, db);
        return stands;
      });
    } catch (error) {
      if (left === 1) throw error;
      log.warn({ err: error, set, part: n }, "the outcome of a part is kept later");
      await sleepFor(1000, undefined);
    }
  }
}
