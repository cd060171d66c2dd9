import { readFileSync } from "node:fs";
import { allocateSamples, type Samples, type SampleType } from "@swath/raster";
import fc from "fast-check";
import * as lerc from "lerc";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeLerc2, type LercBounds } from "../../../src/codecs/lerc/lerc2.ts";
import { CogError } from "../../../src/errors.ts";

interface Blob {
  readonly name: string;
  readonly type: SampleType;
  readonly depth: number;
  readonly width: number;
  readonly height: number;
  readonly blob: string;
}

const blobs: Blob[] = JSON.parse(readFileSync(new URL("../../fixtures/lerc/blobs.json", import.meta.url), "utf8"));
const bytesOf = ({ blob }: Blob): Uint8Array => new Uint8Array(Buffer.from(blob, "base64"));
const boundsOf = ({ type, width, height, depth }: Blob): LercBounds => ({ sampleType: type, width, height, depth });

beforeAll(() => lerc.load());

/** All samples, interleaved, 0 where the mask says that there is none, as Esri's own WebAssembly reads them. */
function readByEsri(blob: Blob): Samples {
  const {
    pixels,
    bandMasks,
    mask,
    depthCount = 1,
  } = lerc.decode(bytesOf(blob).buffer as ArrayBuffer, {
    returnInterleaved: true,
  });
  const out = allocateSamples(blob.type, blob.width * blob.height * blob.depth);
  pixels.forEach((values, band) => {
    const valid = bandMasks?.[band] ?? mask;
    for (let i = 0; i < blob.width * blob.height; i++) {
      for (let d = 0; d < depthCount; d++) {
        const isValid = valid === null || valid === undefined || valid[i] !== 0;
        out[i * blob.depth + band * depthCount + d] = isValid ? values[i * depthCount + d]! : 0;
      }
    }
  });
  return out;
}

function readByUs(blob: Blob): Samples {
  const out = allocateSamples(blob.type, blob.width * blob.height * blob.depth);
  let first = 0;
  for (const { samples, depth } of decodeLerc2(bytesOf(blob), boundsOf(blob))) {
    for (let i = 0; i < blob.width * blob.height; i++) {
      for (let d = 0; d < depth; d++) out[i * blob.depth + first + d] = samples[i * depth + d]!;
    }
    first += depth;
  }
  expect(first).toBe(blob.depth);
  return out;
}

const LOSSLESS_FLOAT = /lossless compression of floating point/;
/** Blobs of version 6 whose floating point is compressed without loss, which is said not to be read. */
function isRefused(blob: Blob): boolean {
  try {
    decodeLerc2(bytesOf(blob), boundsOf(blob));
    return false;
  } catch (error) {
    if (!(error instanceof CogError && error.code === "unsupported" && LOSSLESS_FLOAT.test(error.message))) throw error;
    return true;
  }
}

describe("what Esri's library writes", () => {
  test.each(blobs.map((blob) => [blob.name, blob] as const))("%s", (name, blob) => {
    if (/^version 6, float(32|64)/.test(name) && isRefused(blob)) return;
    expect(readByUs(blob)).toEqual(readByEsri(blob));
  });

  test("of version 6 only lossless floating point is refused", () => {
    const refused = blobs.filter(isRefused).map(({ name }) => name);
    expect(refused.length).toBeGreaterThan(0);
    for (const name of refused) expect(name).toMatch(/^version 6, float(32|64)(?!.*lossy)/);
  });
});

const small = blobs.filter(({ name }) => /smooth|geometric|classes|masks|depth 3/.test(name));

describe("damaged blobs", () => {
  test("give samples of the size asked for or a typed error, and never a hang", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...small),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
        fc.option(fc.nat()),
        (blob, changes, cut) => {
          const bytes = bytesOf(blob);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const end = cut === null ? bytes.length : cut % bytes.length;
          // old versions have no checksum: what follows the header is reached with the new ones too
          repair(bytes.subarray(0, end));
          try {
            const bands = decodeLerc2(bytes.subarray(0, end), boundsOf(blob));
            for (const { samples, width, height, depth } of bands) {
              expect(samples).toHaveLength(width * height * depth);
              expect(height <= blob.height && width === blob.width && depth <= blob.depth).toBe(true);
            }
          } catch (error) {
            if (!(error instanceof CogError)) throw error;
            expect(["corrupt", "unsupported"]).toContain(error.code);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("a header that declares more than its block allocates nothing", () => {
    const blob = blobs.find(({ name }) => name === "version 4, float32, smooth")!;
    const view = new DataView(bytesOf(blob).buffer);
    for (const at of [14, 18, 22]) {
      const before = view.getInt32(at, true);
      view.setInt32(at, 2 ** 30, true);
      expect(() => decodeLerc2(new Uint8Array(view.buffer), boundsOf(blob))).toThrow(
        expect.objectContaining({ code: "corrupt", message: expect.stringMatching(/Expected a block/) }),
      );
      view.setInt32(at, before, true);
    }
  });

  test("one flipped bit after the header is noticed by the checksum", () => {
    const blob = blobs.find(({ name }) => name === "version 4, uint16, smooth")!;
    for (let at = 100; at < bytesOf(blob).length; at += 97) {
      const bytes = bytesOf(blob);
      bytes[at]! ^= 1 << (at % 8);
      expect(() => decodeLerc2(bytes, boundsOf(blob))).toThrow(/checksum/);
    }
  });
});

/** Writes the checksum that fits the bytes. */
function repair(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 90 || view.getInt32(6, true) < 3) return;
  const size = view.getInt32(6 + 8 + (view.getInt32(6, true) >= 4 ? 20 : 16), true);
  if (size < 14 || size > bytes.length) return;
  let sum1 = 0xffff;
  let sum2 = 0xffff;
  // modulo 65535, with 65535 for 0: Fletcher's sums by their definition
  const reduce = (sum: number): number => ((sum - 1) % 65535) + 1;
  for (let at = 14; at < size; at += 2) {
    sum1 = reduce(sum1 + bytes[at]! * 256 + (at + 1 < size ? bytes[at + 1]! : 0));
    sum2 = reduce(sum2 + sum1);
  }
  view.setUint32(10, sum2 * 65536 + sum1, true);
}
