import zlib from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { decodeJpeg } from "../src/codecs/jpeg.ts";
import { decodeLzw } from "../src/codecs/lzw.ts";
import { decodePackBits } from "../src/codecs/packbits.ts";
import { mergeRanges, portableCodecs } from "../src/index.ts";
import { nodeCodecs } from "../src/node.ts";

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

test("LZW gives back what was put in, or its first bytes", () => {
  fc.assert(
    fc.property(runs, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, share) => {
      const length = Math.floor(bytes.length * share);
      expect(decodeLzw(encodeLzw(bytes), length)).toEqual(bytes.slice(0, length));
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

test("a PackBits run that ends after its block is damage, one that ends after the rows that are needed is not", () => {
  const run = Uint8Array.of(256 - 9, 7); // ten bytes of 7
  expect([...decodePackBits(run, 4)]).toEqual([7, 7, 7, 7]);
  expect(decodePackBits(run, 10, true)).toHaveLength(10);
  expect(() => decodePackBits(run, 9, true)).toThrow(expect.objectContaining({ code: "corrupt" }));
  expect(() => decodePackBits(Uint8Array.of(4, 1, 2, 3, 4, 5), 4, true)).toThrow(
    expect.objectContaining({ code: "corrupt" }),
  );
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
  const decode = (bytes: Uint8Array, length = samples.length) => nodeCodecs.zstd(bytes, length, samples.length);

  test("is compared with it where all of it is decoded", async () => {
    expect([...(await decode(frame))]).toEqual([...samples]);
    await expect(decode(wrong)).rejects.toMatchObject({ code: "corrupt" });
    await expect(portableCodecs.zstd(wrong, samples.length, samples.length)).rejects.toMatchObject({ code: "corrupt" });
    expect([...(await decode(wrong, 100))]).toEqual([...samples.subarray(0, 100)]);
  });

  test("may be followed by other bytes, and its checksum cut off", async () => {
    const padded = new Uint8Array(frame.length + 100).fill(1);
    padded.set(frame);
    expect([...(await decode(padded))]).toEqual([...samples]);
    expect([...(await decode(frame.subarray(0, -4)))]).toEqual([...samples]);
  });
});
