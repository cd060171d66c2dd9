import type { Queries, Store } from "@swath/store";
import { monthOf } from "../../calendar.ts";
import { type Batch, BatchWriter, takeNumber } from "../batches.ts";

const FORGET_MS = 600_000;

const SQL = {
  read: "select requests from usage_count where key_id = $1 and month = $2",
  readAll: "select key_id, requests from usage_count where month = $1",
  add: `insert into usage_count(key_id, month, requests) values ($1, $2, $3)
    on conflict(key_id, month) do update set requests = usage_count.requests + $3 returning requests`,
  addBelow: `insert into usage_count(key_id, month, requests) values ($1, $2, 1)
    on conflict(key_id, month) do update set requests = usage_count.requests + 1
    where usage_count.requests < $3 returning requests`,
};

/** The count of one key in one month: what the store said last, and what is not in it yet. */
interface Entry {
  readonly keyId: string;
  readonly month: string;
  stored: number;
  pending: number;
  /** Part of the batch under way. */
  sending: number;
  used: number;
}

/** Requests of an entry that a batch adds. */
interface Count {
  readonly entry: Entry;
  readonly requests: number;
}

export interface LedgerOptions {
  readonly limit: number;
  readonly now: () => number;
  /** Other nodes count too: then the last `reserve` requests of a month are counted in the store, one by one. */
  readonly reserve: number;
  /** Writes more in the transaction of each flush. */
  readonly onWrite?: (db: Queries) => Promise<void>;
}

/**
 * Counts requests in memory and adds the counts to the store in batches.
 */
export class UsageLedger {
  readonly #store: Store;
  readonly #options: LedgerOptions;
  readonly #batches = new BatchWriter<Count, void>(
    () => this.#nextCounts(),
    (batch) => this.#write(batch),
  );
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<Entry>>();
  #writing: Promise<void> | undefined;

  constructor(store: Store, options: LedgerOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Requests of the key in this month so far, at most the limit. */
  async spent(keyId: string): Promise<number> {
    return Math.min(this.#options.limit, total(await this.#entry(keyId)));
  }

  /** Whether the month's quota is spent for certain. */
  async isSpent(keyId: string): Promise<boolean> {
    const entry = await this.#entry(keyId);
    const { limit, reserve } = this.#options;
    return (reserve > 0 ? entry.stored : total(entry)) >= limit;
  }

  /** Counts one request. False: the month's quota is spent, and nothing is counted. */
  async spend(keyId: string): Promise<boolean> {
    const entry = await this.#entry(keyId);
    const { limit, reserve } = this.#options;
    for (;;) {
      const own = entry.pending + entry.sending;
      const remaining = limit - entry.stored - own;
      if (remaining > reserve) {
        entry.pending += 1;
        return true;
      }
      if (reserve === 0) return false;
      // the end of the quota is counted in the store alone, after what this node counted before
      if (own > 0) await this.flush();
      else break;
    }
    if (entry.stored >= limit) return false;
    const [row] = await this.#store.query(SQL.addBelow, [keyId, entry.month, limit]);
    entry.stored = Math.max(entry.stored, row === undefined ? limit : Number(row.requests));
    return row !== undefined;
  }

  /** Whether there is something to write. */
  isChanged(): boolean {
    return this.#batches.entries !== undefined || [...this.#entries.values()].some(({ pending }) => pending > 0);
  }

  /** Adds to the store what was counted since. A batch that failed is sent again first. */
  async flush(): Promise<void> {
    // the batch being written was taken before this call: later counts need another round
    await this.#writing?.catch(() => {});
    this.#writing ??= this.#batches.write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  isWriting(): boolean {
    return this.#writing !== undefined;
  }

  async #write(batch: Batch<Count>): Promise<void> {
    const { now, onWrite } = this.#options;
    const counts = batch.entries;
    const totals = await this.#store.transaction("usage", async (db) => {
      await onWrite?.(db);
      const isNew = await takeNumber(db, batch, now());
      const found = new Map<Entry, number>();
      for (const { entry, requests } of counts) {
        const key = [entry.keyId, entry.month];
        const [row] = isNew ? await db.query(SQL.add, [...key, requests]) : await db.query(SQL.read, key);
        found.set(entry, Number(row?.requests));
      }
      await this.#readOthers(db, found);
      return found;
    });
    for (const { entry, requests } of counts) entry.sending -= requests;
    for (const [entry, requests] of totals) entry.stored = Math.max(entry.stored, requests);
    this.#forget();
  }

  /** On many nodes: what the others counted of the keys in use here. */
  async #readOthers(db: Queries, found: Map<Entry, number>): Promise<void> {
    if (this.#options.reserve === 0) return;
    const month = monthOf(this.#options.now());
    for (const row of await db.query(SQL.readAll, [month])) {
      const entry = this.#entries.get(nameOf(month, String(row.key_id)));
      if (entry !== undefined) found.set(entry, Number(row.requests));
    }
  }

  #nextCounts(): readonly Count[] {
    const counts: Count[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.pending === 0) continue;
      counts.push({ entry, requests: entry.pending });
      entry.sending += entry.pending;
      entry.pending = 0;
    }
    return counts;
  }

  #forget(): void {
    const time = this.#options.now();
    for (const [name, { pending, sending, used }] of this.#entries) {
      if (pending === 0 && sending === 0 && Math.abs(time - used) > FORGET_MS) this.#entries.delete(name);
    }
  }

  #entry(keyId: string): Entry | Promise<Entry> {
    const { now } = this.#options;
    const time = now();
    const month = monthOf(time);
    const name = nameOf(month, keyId);
    const known = this.#entries.get(name);
    if (known !== undefined) {
      known.used = time;
      return known;
    }
    const running = this.#loading.get(name);
    if (running !== undefined) return running;
    const load = async (): Promise<Entry> => {
      const [row] = await this.#store.query(SQL.read, [keyId, month]);
      const entry = { keyId, month, stored: Number(row?.requests ?? 0), pending: 0, sending: 0, used: time };
      this.#entries.set(name, entry);
      return entry;
    };
    const loading = load().finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }
}

function nameOf(month: string, keyId: string): string {
  return `${month} ${keyId}`;
}

function total({ stored, pending, sending }: Entry): number {
  return stored + pending + sending;
}
