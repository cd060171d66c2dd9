import { describe, expect, test } from "vitest";
import { openState, tableOf } from "../../src/cog-state.ts";
import { memorySource, openCog, readWindow } from "../../src/index.ts";
import { nodeCodecs } from "../../src/node.ts";
import { bytesOf, local } from "../fixtures.ts";

/** Files of one kind of compression each, written by GDAL. */
const FILES = [
  // what follows the code of the end, or the last run, is padding
  { name: "lzw-uint16.tif", hasChecksum: false, mayFollow: true },
  { name: "packbits-uint8.tif", hasChecksum: false, mayFollow: true },
  { name: "zstd-uint16.tif", hasChecksum: false },
  { name: "jpeg-rgba.tif", hasChecksum: false },
  { name: "jpeg-ycbcr-strips.tif", hasChecksum: false },
  { name: "webp-lossless.tif", hasChecksum: false },
  { name: "deflate-uint16.tif", hasChecksum: true },
  { name: "lerc-float32.tif", hasChecksum: true },
];

/** The first block of a file, and where the file has its offset and its size. */
async function firstBlockOf(file: Uint8Array) {
  const state = await openState(memorySource(file), nodeCodecs, 32_768, undefined);
  const { image } = state.header.levels[0]!;
  const table = tableOf(state, image);
  await table.load([0], state.source, state.header.bytes, undefined);
  const { offset, length } = table.range(0)!;
  return { block: file.slice(offset, offset + length), offsets: image.offsets, counts: image.byteCounts! };
}

/** The file with other bytes as its first block, behind all others. */
async function withBlock(name: string, change: (block: Uint8Array) => Uint8Array): Promise<Uint8Array> {
  const file = local(name);
  const { block, offsets, counts } = await firstBlockOf(file);
  const changed = change(block);
  const out = joined(file, changed);
  const view = new DataView(out.buffer);
  for (const [{ offset, type }, value] of [
    [offsets, file.length],
    [counts, changed.length],
  ] as const) {
    if (type === 3) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
  }
  return out;
}

/** All samples of the first rows. */
async function read(file: Uint8Array): Promise<Buffer> {
  const cog = await openCog(memorySource(file), { codecs: nodeCodecs });
  const { width, height } = cog.grid;
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: Math.min(width, 16), height: Math.min(height, 8) });
  return Buffer.concat(bands.map(bytesOf));
}

function joined(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + more.length);
  out.set(bytes);
  out.set(more, bytes.length);
  return out;
}

const CORRUPT = { code: "corrupt" };

describe.each(FILES)("a block of $name", ({ name, hasChecksum, mayFollow = false }) => {
  test("is read from another place as from its own", async () => {
    expect(await read(await withBlock(name, (block) => block))).toEqual(await read(local(name)));
  });

  test("may be padded with zeros", async () => {
    for (const count of [1, 7, 300]) {
      const padded = await withBlock(name, (block) => joined(block, new Uint8Array(count)));
      expect(await read(padded)).toEqual(await read(local(name)));
    }
  });

  test("that is cut off is corrupt", async () => {
    for (const share of [0.1, 0.5, 0.9]) {
      const cut = await withBlock(name, (block) => block.subarray(0, Math.floor(block.length * share)));
      await expect(read(cut)).rejects.toMatchObject(CORRUPT);
    }
  });

  test("of which bytes are missing, or are there twice, is corrupt", async () => {
    for (const [from, to] of [
      [0.5, 0.6],
      [0.6, 0.5],
    ] as const) {
      const changed = await withBlock(name, (block) => {
        const at = (share: number): number => Math.floor(block.length * share);
        return joined(block.subarray(0, at(from)), block.subarray(at(to)));
      });
      await expect(read(changed)).rejects.toMatchObject(CORRUPT);
    }
  });

  test.skipIf(hasChecksum)(
    "that is followed by other bytes is corrupt, unless its stream says where it ends",
    async () => {
      const followed = await withBlock(name, (block) => joined(block, block.subarray(0, 40)));
      if (mayFollow) expect(await read(followed)).toEqual(await read(local(name)));
      else await expect(read(followed)).rejects.toMatchObject(CORRUPT);
    },
  );

  test("of which one bit is changed is corrupt, or other pixels where nothing vouches for them", async () => {
    const good = await read(local(name));
    const { length } = (await firstBlockOf(local(name))).block;
    let noticed = 0;
    for (let i = 0; i < 40; i++) {
      const at = Math.floor((length * i) / 40);
      const changed = await withBlock(name, (block) => {
        block[at]! ^= 1 << (i % 8);
        return block;
      });
      const pixels = await read(changed).catch((error: unknown) => error);
      if (pixels instanceof Error) noticed += 1;
      else if (hasChecksum) expect(pixels).toEqual(good);
      if (pixels instanceof Error) expect(pixels).toMatchObject(CORRUPT);
    }
    expect(noticed).toBeGreaterThan(hasChecksum ? 36 : 0);
  });
});
