import zlib from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { portableCodecs } from "../../src/codecs/codecs.ts";
import { decodeJpeg } from "../../src/codecs/jpeg/jpeg.ts";
import { decodeLzw } from "../../src/codecs/lzw.ts";
import { decodePackBits } from "../../src/codecs/packbits.ts";
import { nodeCodecs } from "../../src/node.ts";
import { mergeRanges } from "../../src/sources/ranges.ts";

/** A plain LZW encoder after TIFF 6.0 section 13. */
function encodeLzw(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let held = 0;
  let heldBits = 0;
  let width = 9;
  let table = new Map<string, number>();
  let next = 258;
  const put = (code: number): void => {
    held = held * 2 ** width + code;
    heldBits += width;
    while (heldBits >= 8) {
      const byte = Math.floor(held / 2 ** (heldBits - 8));
      out.push(byte);
      held -= byte * 2 ** (heldBits - 8);
      heldBits -= 8;
    }
  };
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : table.get(text)!);
  put(256);
  let text = "";
  for (const byte of bytes) {
    const longer = text + String.fromCharCode(byte);
    if (longer.length === 1 || table.has(longer)) {
      text = longer;
      continue;
    }
    put(codeOf(text));
    table.set(longer, next++);
    if (next === 4094) {
      put(256);
      table = new Map();
      next = 258;
      width = 9;
    } else if (next === 2 ** width) width++;
    text = String.fromCharCode(byte);
  }
  if (text !== "") put(codeOf(text));
  // the decoder has added one string more by now
  if (next + 1 === 2 ** width && width < 12) width++;
  put(257);
  if (heldBits > 0) out.push((held * 2 ** (8 - heldBits)) & 255);
  return Uint8Array.from(out);
}

const runs = fc
  .array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 60 })), { maxLength: 200 })
  .map((parts) => Uint8Array.from(parts.flatMap(([value, count]) => new Array<number>(count).fill(value))));

const CORRUPT = expect.objectContaining({ code: "corrupt" });

test("LZW gives back what was put in, with its code of the end or without it, padded or not", () => {
  fc.assert(
    fc.property(runs, fc.nat(300), (bytes, padding) => {
      const encoded = encodeLzw(bytes);
      expect(decodeLzw(encoded, bytes.length)).toEqual(bytes);
      expect(decodeLzw(encoded, bytes.length + 100)).toEqual(bytes);
      expect(decodeLzw(Uint8Array.of(...encoded, ...new Uint8Array(padding)), bytes.length)).toEqual(bytes);
      // the last code may go on in the byte before the last
      if (bytes.length > 0) expect(decodeLzw(encoded.subarray(0, -1), bytes.length)).toEqual(bytes);
    }),
  );
});

test("LZW that holds more than its block is damage", () => {
  const noise = fc.uint8Array({ minLength: 20, maxLength: 3000 });
  fc.assert(
    fc.property(noise, fc.integer({ min: 10, max: 20 }), (bytes, more) => {
      expect(() => decodeLzw(encodeLzw(bytes), bytes.length - more)).toThrow(CORRUPT);
    }),
  );
});

test("LZW ends on any input", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      try {
        expect(decodeLzw(bytes, 5000).length).toBeLessThanOrEqual(5000);
      } catch (error) {
        expect(error).toMatchObject({ name: "CogError" });
      }
    }),
  );
});

test("PackBits reads the specification's example", () => {
  const packed = Uint8Array.of(
    0xfe,
    0xaa,
    0x02,
    0x80,
    0x00,
    0x2a,
    0xfd,
    0xaa,
    0x03,
    0x80,
    0x00,
    0x2a,
    0x22,
    0xf7,
    0xaa,
  );
  const hex = Buffer.from(decodePackBits(packed, 24)).toString("hex");
  expect(hex).toBe("aaaaaa80002aaaaaaaaa80002a22aaaaaaaaaaaaaaaaaaaa");
});

test("every requested byte is in exactly one merged range", () => {
  const range = fc.record({ offset: fc.nat(1e6), length: fc.integer({ min: 1, max: 1e5 }) });
  fc.assert(
    fc.property(fc.array(range), fc.nat(1e5), fc.integer({ min: 1e5, max: 1e6 }), (ranges, maxGap, maxLength) => {
      const merged = mergeRanges(ranges, maxGap, maxLength);
      for (const { offset, length } of ranges) {
        const holding = merged.filter((m) => m.offset <= offset && offset + length <= m.offset + m.length);
        expect(holding).toHaveLength(1);
      }
    }),
  );
});

test("a PackBits run that ends after its block is damage, and what follows the last one is padding", () => {
  const run = [256 - 9, 7] as const; // ten bytes of 7
  expect(decodePackBits(Uint8Array.of(...run), 10)).toHaveLength(10);
  expect(decodePackBits(Uint8Array.of(...run), 20)).toHaveLength(10);
  expect(decodePackBits(Uint8Array.of(...run, 0x80, 0, 0), 10)).toHaveLength(10);
  expect(decodePackBits(Uint8Array.of(3, 1, 2, 3, 4, ...run), 4)).toEqual(Uint8Array.of(1, 2, 3, 4));
  for (const bytes of [[...run], [4, 1, 2, 3, 4, 5]]) {
    expect(() => decodePackBits(Uint8Array.from(bytes), bytes.length > 2 ? 4 : 9)).toThrow(CORRUPT);
  }
});

test("JPEG is read up to sides of 65,500 pixels, libjpeg's limit", async () => {
  const create = { width: 65_500, height: 8, channels: 3, background: "#808080" } as const;
  const bytes = new Uint8Array(await sharp({ create }).toColourspace("b-w").jpeg().toBuffer());
  const { width, height, data } = decodeJpeg(bytes);
  expect([width, height, data.length, ...data.subarray(-2)]).toEqual([65_500, 8, 65_500 * 8, 128, 128]);
  const frame = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0);
  new DataView(bytes.buffer).setUint16(frame + 7, 65_501);
  expect(() => decodeJpeg(bytes)).toThrow(
    expect.objectContaining({ code: "unsupported", message: expect.stringContaining("65501 x 8") }),
  );
});

describe.skipIf(typeof zlib.zstdCompressSync !== "function")("a Zstandard frame with a checksum", () => {
  const samples = Uint8Array.from({ length: 3000 }, (_, i) => (i * i) >> 9);
  const frame = new Uint8Array(zlib.zstdCompressSync(samples, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } }));
  const wrong = frame.slice();
  wrong[wrong.length - 1]! ^= 1;

  test.each([
    ["nodeCodecs", nodeCodecs],
    ["portableCodecs", portableCodecs],
  ])("is compared with it by %s, and ends with it", async (_, codecs) => {
    const decode = async (bytes: Uint8Array, length = samples.length) => codecs.zstd(bytes, length);
    expect([...(await decode(frame))]).toEqual([...samples]);
    expect([...(await decode(frame, samples.length + 100))]).toEqual([...samples]);
    expect([...(await decode(Uint8Array.of(...frame, 0, 0, 0)))]).toEqual([...samples]);
    for (const bytes of [wrong, frame.subarray(0, -1), frame.subarray(0, 12), Uint8Array.of(...frame, 1)]) {
      await expect(decode(bytes)).rejects.toMatchObject({ code: "corrupt" });
    }
    await expect(decode(frame, samples.length - 1)).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe.skipIf(typeof zlib.zstdCompressSync !== "function")("a Zstandard frame without a checksum", () => {
  test("is decoded whatever its parts, and damage is an error or other bytes", async () => {
    const made = fc.record({
      bytes: fc.oneof(runs, fc.uint8Array({ maxLength: 5000 })),
      level: fc.integer({ min: -5, max: 19 }),
      at: fc.nat(),
      change: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(made, async ({ bytes, level, at, change }) => {
        const params = { [zlib.constants.ZSTD_c_compressionLevel]: level };
        const frame = new Uint8Array(zlib.zstdCompressSync(bytes, { params }));
        const { length } = bytes;
        for (const codecs of [nodeCodecs, portableCodecs]) {
          expect(Buffer.compare(await codecs.zstd(frame, length), bytes)).toBe(0);
        }
        frame[at % frame.length]! ^= change;
        const damaged = await (async () => nodeCodecs.zstd(frame, length))().catch((error: unknown) => error);
        if (damaged instanceof Uint8Array) expect(damaged.length).toBeLessThanOrEqual(length);
        else expect(damaged).toEqual(CORRUPT);
      }),
      { numRuns: 60 },
    );
  });
});
