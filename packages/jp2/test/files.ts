import { readdirSync, readFileSync } from "node:fs";
import type { Source } from "@swath/cog";
import type { Samples } from "@swath/raster";

const FOLDER = new URL("./fixtures/", import.meta.url);

/** Values that GDAL reads from a test file. */
export interface Facts {
  readonly type: "Byte" | "Int16" | "UInt16" | "UInt32";
  readonly colors: readonly string[];
  readonly transform: readonly number[] | null;
  readonly epsg: number | null;
  readonly levels: readonly { readonly width: number; readonly height: number; readonly sha256: readonly string[] }[];
}

export const facts: Readonly<Record<string, Facts>> = JSON.parse(readFileSync(new URL("facts.json", FOLDER), "utf8"));

/** All test files. */
export const names: readonly string[] = readdirSync(FOLDER).filter((name) => /\.(jp2|j2k)$/.test(name));

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, FOLDER)));
}

/** A source over bytes that records every read. */
export class RecordingSource implements Source {
  readonly key: string;
  readonly size: number;
  readonly reads: { offset: number; length: number }[] = [];
  version: string | undefined;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, key = "recording") {
    this.#bytes = bytes;
    this.size = bytes.length;
    this.key = key;
  }

  /** Bytes that were read. */
  get bytes(): number {
    return this.reads.reduce((sum, { offset, length }) => sum + Math.min(length, this.size - offset), 0);
  }

  async read(
    offset: number,
    length: number,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Uint8Array> {
    options?.signal?.throwIfAborted();
    this.reads.push({ offset, length });
    return this.#bytes.slice(offset, offset + length);
  }
}

export function bytesOf(samples: Samples): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Returns the offset of the codestream. */
export function codestreamAt(bytes: Uint8Array): number {
  return Buffer.from(bytes).indexOf(Uint8Array.of(0xff, 0x4f, 0xff, 0x51));
}

/** Yields the offset of each marker segment, in the main header and those of tile-parts, with its marker. */
export function* markersOf(bytes: Uint8Array): Generator<{ readonly marker: number; readonly at: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = codestreamAt(bytes) + 2;
  while (at + 12 <= bytes.length) {
    const marker = view.getUint16(at);
    yield { marker, at };
    if (marker !== 0xff90) {
      at += 2 + view.getUint16(at + 2);
      continue;
    }
    const end = at + view.getUint32(at + 6);
    for (at += 12; view.getUint16(at) !== 0xff93; at += 2 + view.getUint16(at + 2)) {
      yield { marker: view.getUint16(at), at };
    }
    at = end;
  }
}

/** Bytes with other marker codes: segments that a reader passes over. */
export function withoutMarkers(bytes: Uint8Array, unwanted: number): Uint8Array {
  const copy = bytes.slice();
  // as comments
  for (const { marker, at } of markersOf(bytes)) if (marker === unwanted) copy[at + 1] = 0x64;
  return copy;
}
