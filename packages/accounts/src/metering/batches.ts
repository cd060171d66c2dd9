import { randomUUID } from "node:crypto";
import type { Queries } from "@swath/store";

/** Entries that are written together, or not at all. */
export interface Batch<T> {
  /** Name of its writer, which no other has. */
  readonly writer: string;
  /** Number among the writer's batches: the store takes each one once. */
  readonly sequence: number;
  readonly entries: readonly T[];
}

const TAKE = `insert into usage_batch(writer, sequence, written) values ($1, $2, $3)
  on conflict(writer) do update set sequence = $2, written = $3 where usage_batch.sequence < $2 returning sequence`;
const FORGET = "delete from usage_batch where written < $1";
const KEEP_WRITERS_MS = 7 * 86_400_000;

/**
 * Takes the number of a batch, within the transaction that writes it.
 *
 * @returns false where the store has taken it before, though nobody was told so.
 */
export async function takeNumber(
  db: Queries,
  { writer, sequence }: Pick<Batch<unknown>, "writer" | "sequence">,
  time: number,
): Promise<boolean> {
  if (sequence === 1) await db.query(FORGET, [time - KEEP_WRITERS_MS]);
  return (await db.query(TAKE, [writer, sequence, time])).length > 0;
}

/**
 * Writes the batches of one writer, one after the other. A batch carries a number that the store takes once: one that
 * failed, of which nobody knows whether it was written, is sent again before any other, and counts once.
 */
export class BatchWriter<T, R> {
  readonly #writer = randomUUID();
  readonly #next: () => readonly T[];
  readonly #write: (batch: Batch<T>) => Promise<R>;
  #sequence = 0;
  #batch: Batch<T> | undefined;

  /** @param next takes what the next batch holds. */
  constructor(next: () => readonly T[], write: (batch: Batch<T>) => Promise<R>) {
    this.#next = next;
    this.#write = write;
  }

  /** The entries of a batch that is being written, or that failed; undefined where there is none. */
  get entries(): readonly T[] | undefined {
    return this.#batch?.entries;
  }

  /** Writes the batch that failed, or the next one. */
  async write(): Promise<R> {
    this.#batch ??= { writer: this.#writer, sequence: ++this.#sequence, entries: this.#next() };
    const written = await this.#write(this.#batch);
    this.#batch = undefined;
    return written;
  }

  /** Gives up the batch that failed: the store would refuse it again. */
  drop(): void {
    this.#batch = undefined;
  }
}
