import type { Store } from "@swath/store";
import { monthOf } from "../calendar.ts";
import { StopError } from "../errors.ts";
import {
  addSpent,
  isOver,
  readState,
  SPENDING,
  type SpendingBounds,
  type SpendingState,
  type Spent,
  spentIn,
  stopSpending,
} from "./spending-state.ts";

/** Counts what reading costs, and whether the owner or the month's bound has stopped it. */
export interface SpendingStop {
  isStopped(): boolean;
  /** @throws {StopError} `spending`, without a time to try again, while spending is stopped. */
  check(): void;
  /** Reads of files in buckets whose reader pays. */
  count(spent: Spent): void;
}

/** The spending stop of a store. */
export interface StoredSpending extends SpendingStop {
  /** Returns the cost of this month, as this node last read it. */
  spent(): Spent;
  /** Writes what was counted, and learns what other nodes and the owner did; runs every few seconds by itself. */
  refresh(): Promise<void>;
  /** Writes what was counted, where anything was: for a process that may be stopped before the next refresh. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Clock and reports of a spending stop. */
export interface StoredSpendingOptions {
  readonly now?: () => number;
  readonly everyMs?: number;
  readonly onError?: (error: unknown) => void;
  readonly onChange?: (state: SpendingState) => void;
}

/** A stop takes effect within a minute on every node: this is how often nodes look. */
const EVERY_MS = 10_000;

const DETAILS = {
  owner: "The spending stop is on: the owner has stopped reading from paid archives.",
  threshold: "The spending stop is on: this month's allowance for reading from paid archives is used up.",
};

/** The error of a request that is not served while spending is stopped. */
function stoppedError(by: keyof typeof DETAILS): StopError {
  return new StopError("spending", `${DETAILS[by]} It lasts until the owner lifts it.`);
}

/** Opens the spending stop of a store; the state is known once this resolves. */
export async function openSpending(
  store: Store,
  bounds: SpendingBounds,
  { now = Date.now, everyMs = EVERY_MS, onError = () => {}, onChange = () => {} }: StoredSpendingOptions = {},
): Promise<StoredSpending> {
  let pending = { requests: 0, bytes: 0 };
  let total: Spent = { requests: 0, bytes: 0 };
  let state: SpendingState = await readState(store);
  let running: Promise<void> = Promise.resolve();

  const turn = async (): Promise<void> => {
    const month = monthOf(now());
    const batch = pending;
    pending = { requests: 0, bytes: 0 };
    if (batch.requests > 0) {
      try {
        await addSpent(store, month, batch);
      } catch (error) {
        pending = { requests: pending.requests + batch.requests, bytes: pending.bytes + batch.bytes };
        throw error;
      }
    }
    const before = state.state;
    total = await spentIn(store, month);
    state = await readState(store);
    if (state.state === "open" && isOver(state, month, total, bounds)) {
      // between the two looks the owner may have lifted or stopped: in the transaction the last change counts
      state = await store.transaction(SPENDING, async (db) => {
        const current = await readState(db);
        if (current.state === "stopped" || !isOver(current, month, await spentIn(db, month), bounds)) return current;
        return stopSpending(db, "threshold", now());
      });
    }
    if (state.state !== before) onChange(state);
  };
  const refresh = (): Promise<void> => {
    const next = running.catch(() => {}).then(turn);
    running = next;
    return next;
  };
  await refresh();
  const timer = setInterval(() => void refresh().catch(onError), everyMs);
  timer.unref();
  return {
    isStopped: () => state.state === "stopped",
    check() {
      if (state.state === "stopped") throw stoppedError(state.by);
    },
    count({ requests, bytes }) {
      pending.requests += requests;
      pending.bytes += bytes;
    },
    spent: () => total,
    refresh,
    flush: async () => {
      if (pending.requests > 0) await refresh();
    },
    async close() {
      clearInterval(timer);
      await refresh();
    },
  };
}
