import type { Item } from "@swath/catalog";
import { Refusal } from "../refusal.ts";
import type { Request } from "../request.ts";

/** Options for running a request. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Called with the part of the work that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** A request whose scenes are found, and of which no pixel is read: its caller admits it by what it costs, and runs it. */
export interface Prepared<R> {
  /** Units that it costs. Not rounded. */
  readonly units: number;
  /** Bytes that its file has at most; absent: the result is no file. */
  readonly fileBytes?: number;
  /** Whether no scene can come to it any more. */
  readonly isSettled: boolean;
  /** Text that is equal for requests of equal results: what was asked, and the items that answer it. */
  key(): string;
  /** Reads metadata and pixels. @throws {Refusal} `render-timeout`, with how far it came, where the signal ends it. */
  run(options: RunOptions): Promise<R>;
}

/** Returns the key of a result: the request, and for each item its id, its last change and its files. */
export function keyOf(request: Request, items: readonly Item[]): string {
  const facts = items.map(({ id, collection, geometry, properties, assets }) => [
    id,
    collection,
    geometry,
    properties,
    Object.entries(assets).map(([name, { href }]) => [name, href]),
  ]);
  // times of filters are whole nanoseconds, which JSON has no numbers for; items have none, and are written fast without
  const asked = JSON.stringify(request, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return `[${asked},${JSON.stringify(facts)}]`;
}

/**
 * Does a part of the work of a request.
 *
 * @param words how far the work came
 * @throws {Refusal} `render-timeout` with these words where the signal ends it.
 */
export async function inTime<T>(signal: AbortSignal, words: () => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    const reason = signal.reason instanceof Error ? signal.reason.message : "No answer in time.";
    throw new Refusal("render-timeout", [], `${reason} ${words()}`, { cause: error });
  }
}
