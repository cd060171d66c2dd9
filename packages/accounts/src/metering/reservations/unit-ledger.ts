import { setTimeout as pause, setImmediate as turnOfEventLoop } from "node:timers/promises";
import { type Store, StoreError } from "@swath/store";
import { type Batch, BatchWriter } from "../batches.ts";
import type { PayerRow, Settlement } from "../units/unit-rows.ts";
import { type SettlementWriter, settlementWriter, type WrittenBatch } from "./settlement-writer.ts";

/** Settlements of one transaction. */
const MAX_BATCH = 256;
/** Default of `retryMs`. */
const RETRY_MS = 250;
/** A crash of the machine loses no more than the charges of so long, where the store does not wait for the disk each time. */
const SYNC_MS = 500;
/** Default of `patienceMs`: a failover of the database takes some seconds. */
const PATIENCE_MS = 5000;

/** A settlement that is not in the store for certain. */
interface Entry {
  readonly settlement: Settlement;
  /** Told what the store holds of the payer; absent: nobody waits. */
  readonly done?: (row: PayerRow) => void;
  readonly failed?: (error: unknown) => void;
  /** Time at which it came, by a clock that only runs forward. */
  readonly since: number;
  /** Its caller was told that it failed: its units must not stay charged. */
  isCancelled: boolean;
}

export interface UnitLedgerOptions {
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Takes the counts that nobody waits for: they are written with the next batch, so that no units are seen without their requests. */
  readonly takeCounts?: () => readonly Settlement[];
  /** Pause before a batch that failed is sent again, milliseconds. */
  readonly retryMs?: number;
  /** Time for which an answer waits for a store that does not answer, milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Writes settlements to the store in batches, one after the other: at once where nothing is being written, and those that
 * come meanwhile are the next batch. A batch carries its writer's sequence number, which the store takes once; whether
 * a batch whose connection broke was committed is asked before anything else is written.
 */
export class UnitLedger {
  readonly #batches: BatchWriter<Entry, WrittenBatch>;
  readonly #settle: SettlementWriter;
  readonly #options: UnitLedgerOptions;
  #waiting: Entry[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;
  /** Time at which a batch that survives a crash of the machine was last written, by a clock that only runs forward. */
  #synced = Number.NEGATIVE_INFINITY;
  /** Whether batches were written since that survive a crash of the process alone. */
  #isAhead = false;

  constructor(store: Store, options: UnitLedgerOptions) {
    this.#settle = settlementWriter(store, options.now);
    this.#batches = new BatchWriter(
      () => this.#take(),
      (batch) => this.#write(batch),
    );
    this.#options = options;
  }

  /**
   * Writes a settlement; once this resolves, no crash loses it.
   *
   * @throws {StoreError} where the store does not answer: the units are not charged, and the reservation is released
   * as soon as the store answers again.
   */
  settle(settlement: Settlement): Promise<PayerRow> {
    return new Promise((done, failed) => {
      this.#waiting.push({ settlement, done, failed, since: performance.now(), isCancelled: false });
      this.#start();
    });
  }

  /** Writes a settlement that nobody waits for, with the next batch. */
  add(settlement: Settlement): void {
    this.#waiting.push({ settlement, since: performance.now(), isCancelled: false });
  }

  /** Writes what waits; what was written before then survives a crash of the machine. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0 || this.#isDue()) this.#start();
    await this.#writing;
  }

  #take(): Entry[] {
    const since = performance.now();
    const counts = this.#options.takeCounts?.() ?? [];
    this.#waiting.unshift(...counts.map((settlement) => ({ settlement, since, isCancelled: false })));
    return this.#waiting.splice(0, MAX_BATCH);
  }

  #isDue(): boolean {
    return this.#isAhead && performance.now() - this.#synced >= SYNC_MS;
  }

  /** Writes what waits, tries once more what failed, and stops. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    if (this.#batches.entries !== undefined || this.#waiting.length > 0 || this.#isAhead) {
      this.#synced = Number.NEGATIVE_INFINITY;
      this.#start();
    }
    await this.#writing;
  }

  #start(): void {
    this.#writing ??= this.#run().finally(() => {
      this.#writing = undefined;
      // entries that came while the last batch was answered
      if (this.#waiting.length > 0 && !this.#closed) this.#start();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (this.#batches.entries !== undefined || this.#waiting.length > 0 || this.#isDue()) {
      // entries of the same turn of the event loop go into the same batch
      if (this.#batches.entries === undefined && !this.#closed) await turnOfEventLoop();
      try {
        await this.#batches.write();
      } catch (error) {
        this.#options.onError(error);
        // a statement that the store refused would be refused again; any other failure says nothing of the commit
        const isRefused = !(error instanceof StoreError);
        this.#fail(error, isRefused || this.#closed ? 0 : (this.#options.patienceMs ?? PATIENCE_MS));
        if (isRefused) this.#batches.drop();
        else if (this.#closed) return;
        else await pause(this.#options.retryMs ?? RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Tells the callers who have waited long enough; counts that nobody waits for are kept until the store takes them. */
  #fail(error: unknown, patienceMs: number): void {
    const time = performance.now();
    for (const entry of [...(this.#batches.entries ?? []), ...this.#waiting]) {
      if (entry.isCancelled || entry.failed === undefined || time - entry.since < patienceMs) continue;
      entry.isCancelled = true;
      entry.failed(error);
    }
  }

  async #write(batch: Batch<Entry>): Promise<WrittenBatch> {
    const started = performance.now();
    const survives = started - this.#synced >= SYNC_MS || this.#closed ? "machine" : "process";
    const { entries } = batch;
    const written = await this.#settle({ ...batch, entries: entries.map(asAsked) }, survives);
    this.#isAhead = survives === "process";
    if (survives === "machine") this.#synced = started;
    if (written.wasWritten) this.#waiting.unshift(...givenBack(entries));
    for (const { settlement, done, isCancelled } of entries) {
      const row = written.payers.get(settlement.payer);
      if (!isCancelled && row !== undefined) done?.(row);
    }
    return written;
  }
}

/** Returns the charges of a batch that was committed although its callers were told that it failed. */
function givenBack(entries: readonly Entry[]): readonly Entry[] {
  const charged = entries.filter(({ settlement, isCancelled }) => isCancelled && settlement.charged > 0);
  return charged.map(({ settlement: { reservation: _, ...rest } }) => ({
    settlement: { ...rest, reserved: 0, charged: -rest.charged, requests: 0, minuteRequests: 0 },
    since: performance.now(),
    isCancelled: false,
  }));
}

/** A cancelled charge becomes a release. */
function asAsked({ settlement, isCancelled }: Entry): Settlement {
  return isCancelled ? { ...settlement, charged: Math.min(0, settlement.charged) } : settlement;
}
