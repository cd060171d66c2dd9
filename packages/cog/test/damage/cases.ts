import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Window } from "@swath/raster";
import { portableCodecs } from "../../src/codecs/codecs.ts";
import { openState, tableOf } from "../../src/cog-state.ts";
import { locateDirectories, typeBytes } from "../../src/header/directories.ts";
import { HeaderBytes } from "../../src/header/header-bytes.ts";
import { readTags } from "../../src/header/tags.ts";
import { CogError, memorySource } from "../../src/index.ts";

/** One damage done to a file: it is cut after `length` bytes, or the byte at `at` is combined with `xor`. */
export interface Damage {
  readonly kind: "cut" | "header" | "table" | "block";
  readonly length?: number;
  readonly at?: number;
  readonly xor?: number;
  /** The window of level 0 that is read; absent: all of it, as far as the bounds of a task allow. */
  readonly window?: Window;
}

/** The number of cases of each kind for one file. */
export interface Counts {
  /** Cut inside the header, and anywhere. */
  readonly cuts: readonly [inHeader: number, anywhere: number];
  readonly header: number;
  readonly tables: number;
  readonly blocks: number;
}

/** Parts of a file, each as [offset, length]. */
type Part = readonly [offset: number, length: number];

/** A copy of an undamaged fixture, one block of which is already past the end of the file. */
const LEFT_OUT = "tile-past-end-of-file.tif";
const TABLES = [273, 279, 324, 325];

/** Paths of the TIFFs under the folders `cog` and `tiff` of the fixtures. */
export function tiffs(fixtures: string): string[] {
  return ["cog", "tiff"].flatMap((folder) =>
    readdirSync(join(fixtures, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tiff?$/i.test(entry.name) && entry.name !== LEFT_OUT)
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
}

/** The damages of a file: the same for the same `name` and counts. Half of the changed bytes differ by one bit. */
export async function damagesOf(path: string, name: string, counts: Counts): Promise<Damage[]> {
  const bytes = new Uint8Array(readFileSync(path));
  const random = randomOf(name);
  const { header, tables, blocks } = await partsOf(bytes);
  const headerEnd = Math.max(...header.map(([offset, length]) => offset + length));
  const [inHeader, anywhere] = counts.cuts;
  const cut = (end: number): Damage => ({ kind: "cut", length: random(end) });
  const change = (kind: Damage["kind"], parts: readonly Part[], i: number): Damage => ({
    kind,
    at: pick(parts.length > 0 ? parts : header, random),
    xor: i % 2 === 0 ? 1 << random(8) : 1 + random(255),
  });
  return [
    ...Array.from({ length: inHeader }, () => cut(headerEnd)),
    ...Array.from({ length: anywhere }, () => cut(bytes.length)),
    ...Array.from({ length: counts.header }, (_, i) => change("header", header, i)),
    ...Array.from({ length: counts.tables }, (_, i) => change("table", tables, i)),
    ...Array.from({ length: counts.blocks }, (_, i) => change("block", blocks, i)),
  ];
}

/**
 * Makes `count` damages of one bit of a deflated block of level 0, whose first rows are read: the same for the same
 * `name`. It makes none where the file has no such blocks.
 */
export async function firstRowsOf(path: string, name: string, count: number): Promise<Damage[]> {
  const state = await openState(memorySource(new Uint8Array(readFileSync(path))), portableCodecs, 32_768, undefined);
  const { image } = state.header.levels[0]!;
  const { blocksAcross, blocksDown, blockWidth, blockHeight, width, height } = image;
  if (image.compression !== 8 || blockHeight < 64) return [];
  const random = randomOf(name);
  const table = tableOf(state, image);
  const blocks = blocksAcross * blocksDown;
  await table.load(
    Array.from({ length: blocks }, (_, block) => block),
    state.source,
    state.header.bytes,
    undefined,
  );
  const damages: Damage[] = [];
  for (let tries = 0; damages.length < count && tries < 20 * count; tries++) {
    const block = random(blocks);
    const range = table.range(block);
    if (range === undefined) continue;
    const [x, y] = [(block % blocksAcross) * blockWidth, Math.floor(block / blocksAcross) * blockHeight];
    const rows = 1 + random(Math.min(16, height - y));
    damages.push({
      kind: "block",
      at: range.offset + random(range.length),
      xor: 1 << random(8),
      window: { x, y, width: Math.min(blockWidth, width - x), height: rows },
    });
  }
  return damages;
}

/** The bytes of a file after a damage. */
export function damaged(bytes: Uint8Array, { length, at, xor }: Damage): Uint8Array {
  const copy = bytes.slice(0, length ?? bytes.length);
  if (at !== undefined && xor !== undefined) copy[at]! ^= xor;
  return copy;
}

interface Parts {
  /** Directories and the values of their tags. */
  readonly header: Part[];
  /** Offsets and sizes of blocks. */
  readonly tables: Part[];
  readonly blocks: Part[];
}

/** Returns the places of the parts of a file; a file whose directories cannot be read is all header. */
async function partsOf(bytes: Uint8Array): Promise<Parts> {
  try {
    return await locateParts(bytes);
  } catch (error) {
    if (error instanceof CogError) return { header: [[0, bytes.length]], tables: [], blocks: [] };
    throw error;
  }
}

async function locateParts(bytes: Uint8Array): Promise<Parts> {
  const source = memorySource(bytes);
  const held = new HeaderBytes(source, bytes.length, undefined);
  const header: Part[] = [[0, Math.min(bytes.length, 16)]];
  const tables: Part[] = [];
  const blocks: Part[] = [];
  const { directories, littleEndian, big } = await locateDirectories({
    bytes: held,
    key: "fixture",
    size: bytes.length,
  });
  for (const directory of directories) {
    header.push([directory.offset, (big ? 16 : 6) + directory.tags.size * (big ? 20 : 12)]);
    for (const [tag, { type, count, offset }] of directory.tags) {
      (TABLES.includes(tag) ? tables : header).push([offset, typeBytes(type) * count]);
    }
    const tags = await readTags(directory, TABLES, held, littleEndian);
    const starts = [...tags.numbers(273), ...tags.numbers(324)];
    const lengths = [...tags.numbers(279), ...tags.numbers(325)];
    starts.forEach((start, i) => {
      const length = Math.min(lengths[i] ?? 0, bytes.length - start);
      if (start > 0 && length > 0) blocks.push([start, length]);
    });
  }
  return { header, tables, blocks };
}

/** A byte of one of the parts; each byte is as likely. */
function pick(parts: readonly Part[], random: (below: number) => number): number {
  let left = random(parts.reduce((sum, [, length]) => sum + length, 0));
  for (const [offset, length] of parts) {
    if (left < length) return offset + left;
    left -= length;
  }
  return 0;
}

/** Numbers below `below`, from a generator (mulberry32) whose seed is the FNV-1a hash of `seed`. */
function randomOf(seed: string): (below: number) => number {
  let state = 0x811c9dc5;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}
