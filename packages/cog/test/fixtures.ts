import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Samples } from "@swath/raster";
import type { Source } from "../src/index.ts";

/** Folder of the shared fixtures, where there is one. */
export const fixtures = process.env.SWATH_FIXTURES;

export function fixture(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(fixtures ?? "", path)));
}

export function local(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)));
}

/** A source over bytes that records every read. */
export class RecordingSource implements Source {
  readonly key: string;
  readonly reads: { offset: number; length: number }[] = [];
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, key = "recording") {
    this.#bytes = bytes;
    this.key = key;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    this.reads.push({ offset, length });
    return this.#bytes.slice(offset, offset + length);
  }
}

/** Lets everything else that is ready run this many times. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** A source whose answers come in no order. */
export function unruly(source: Source): Source {
  return {
    key: source.key,
    async read(offset, length, options) {
      await turns(Math.floor(Math.random() * 6));
      return source.read(offset, length, options);
    },
  };
}

export function bytesOf(samples: Samples): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
