import { InFlight } from "@swath/http";
import { type Cog, headerBytes, type OpenOptions, openCog, stateOf } from "../cog.ts";
import type { Source } from "../sources/source.ts";
import type { CacheUse } from "./block-cache.ts";

/** How much a cache of open files may hold. */
export interface CogCacheOptions {
  /** Bytes that headers may hold. */
  readonly maxBytes: number;
}

/** Open files by the key of their source, under a byte budget; openings in flight are shared, failures forgotten. */
export class CogCache {
  readonly maxBytes: number;
  readonly #cogs = new Map<string, { cog: Cog; bytes: number }>();
  readonly #openings = new InFlight<Cog>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: CogCacheOptions) {
    this.maxBytes = options.maxBytes;
  }

  get use(): CacheUse {
    return { entries: this.#cogs.size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /**
   * The open file of `source.key`, opened when it is not held, or when a block of it was damaged: its header may be. The first source of
   * a key is the one that is kept.
   */
  open(source: Source, options: OpenOptions = {}): Promise<Cog> {
    const held = this.#cogs.get(source.key);
    if (held !== undefined && !stateOf(held.cog).suspect) {
      this.#hits++;
      this.#cogs.delete(source.key);
      this.#cogs.set(source.key, held);
      return Promise.resolve(held.cog);
    }
    this.#misses++;
    return this.#openings.share(
      source.key,
      async (signal) => {
        const cog = await openCog(source, { ...options, cache: undefined, signal });
        this.#keep(source.key, cog);
        return cog;
      },
      options.signal,
    );
  }

  /** Forgets one file, or all of them. */
  clear(key?: string): void {
    for (const held of key === undefined ? [...this.#cogs.keys()] : [key]) {
      this.#bytes -= this.#cogs.get(held)?.bytes ?? 0;
      this.#cogs.delete(held);
    }
  }

  #keep(key: string, cog: Cog): void {
    const bytes = headerBytes(cog);
    if (bytes > this.maxBytes) return;
    this.clear(key);
    this.#cogs.set(key, { cog, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#cogs) {
      if (this.#bytes <= this.maxBytes) break;
      this.#cogs.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}
