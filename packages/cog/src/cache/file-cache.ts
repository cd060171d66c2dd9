import { InFlight } from "@swath/http";
import type { RasterFile } from "../raster-file.ts";
import type { CacheUse } from "./block-cache.ts";

/** Limits of a cache of open files. */
export interface FileCacheOptions {
  /** Bytes that headers may hold. */
  readonly maxBytes: number;
}

/** Open files by the key of their source, under a byte budget; openings in flight are shared, failures forgotten. */
export class FileCache<File extends Pick<RasterFile, "headerBytes" | "suspect"> = RasterFile> {
  readonly maxBytes: number;
  readonly #files = new Map<string, { file: File; bytes: number }>();
  readonly #openings = new InFlight<File>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: FileCacheOptions) {
    this.maxBytes = options.maxBytes;
  }

  get use(): CacheUse {
    return { entries: this.#files.size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /**
   * The open file of a key, opened when it is not held, or when a part of it was damaged: its header may be. The first one opened under
   * a key is the one that is kept.
   */
  share(key: string, open: (signal: AbortSignal) => Promise<File>, signal?: AbortSignal): Promise<File> {
    const held = this.#files.get(key);
    if (held !== undefined && held.file.suspect !== true) {
      this.#hits++;
      this.#files.delete(key);
      this.#files.set(key, held);
      return Promise.resolve(held.file);
    }
    this.#misses++;
    return this.#openings.share(
      key,
      async (shared) => {
        const file = await open(shared);
        this.#keep(key, file);
        return file;
      },
      signal,
    );
  }

  /** Forgets one file, or all of them. */
  clear(key?: string): void {
    for (const held of key === undefined ? [...this.#files.keys()] : [key]) {
      this.#bytes -= this.#files.get(held)?.bytes ?? 0;
      this.#files.delete(held);
    }
  }

  #keep(key: string, file: File): void {
    const bytes = file.headerBytes;
    if (bytes > this.maxBytes) return;
    this.clear(key);
    this.#files.set(key, { file, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#files) {
      if (this.#bytes <= this.maxBytes) break;
      this.#files.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}
