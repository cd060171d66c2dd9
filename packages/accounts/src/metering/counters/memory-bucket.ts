import type { Queries } from "@swath/store";
import type { Rate } from "./limit-settings.ts";
import type { Bucket } from "./rate-limiter.ts";
import { refill, type TokenBucket } from "./token-bucket.ts";

/** A bucket that was not used for this long is full, and need not be remembered. */
const FORGET_MS = 60_000;

const LOAD = "select tokens, at from bucket where id = $1";
const SAVE = `insert into bucket(id, tokens, at, granted) values ($1, $2, $3, 0)
  on conflict(id) do update set tokens = $2, at = $3`;

/**
 * A bucket of a single node: in memory, and exact. It is written to the store now and then, so that a restart does not
 * hand out a second burst.
 */
export class MemoryBucket implements Bucket {
  readonly #store: Queries;
  readonly #row: string;
  readonly #rate: Rate;
  readonly #now: () => number;
  #bucket: TokenBucket | undefined;
  #loading: Promise<void> | undefined;
  #changed = false;

  constructor(store: Queries, row: string, rate: Rate, now: () => number) {
    this.#store = store;
    this.#row = row;
    this.#rate = rate;
    this.#now = now;
  }

  isEmpty(): boolean {
    return false;
  }

  take(): boolean | Promise<boolean> {
    if (this.#bucket === undefined) return this.#load().then(() => this.take());
    this.#bucket = refill(this.#bucket, this.#rate, this.#now());
    if (this.#bucket.tokens < 1) return false;
    this.#add(-1);
    return true;
  }

  giveBack(): void {
    this.#add(1);
  }

  async save(db: Queries): Promise<boolean> {
    if (this.#bucket === undefined) return true;
    const { tokens, at } = this.#bucket;
    if (!this.#changed) return this.#now() - at <= FORGET_MS;
    this.#changed = false;
    await db.query(SAVE, [this.#row, tokens, at]);
    return true;
  }

  #add(tokens: number): void {
    if (this.#bucket === undefined) return;
    this.#bucket = { ...this.#bucket, tokens: this.#bucket.tokens + tokens };
    this.#changed = true;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const [row] = await this.#store.query(LOAD, [this.#row]);
    this.#bucket =
      row === undefined
        ? { tokens: this.#rate.burst, at: this.#now() }
        : { tokens: Number(row.tokens), at: Number(row.at) };
  }
}
