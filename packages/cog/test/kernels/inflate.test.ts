import { constants, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { whereWasmIsForbidden } from "../../../../test/tools/forbidden-wasm.ts";
import { undoDifferences } from "../../src/codecs/predictor.ts";
import { CogError } from "../../src/index.ts";
import { inflate, inflateFirst } from "../../src/kernels/inflate.ts";

/** Bytes as imagery has them after a predictor, with runs, far repeats and noise among them. */
const imagery = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.nat(5), { maxLength: 2000 }).map((values) => Uint8Array.from(values, (value) => value - 2)),
      fc
        .record({ value: fc.nat(255), length: fc.nat(900) })
        .map(({ value, length }) => new Uint8Array(length).fill(value)),
    ),
    { maxLength: 12 },
  )
  .chain((parts) => fc.array(fc.nat(20), { maxLength: 16 }).map((order) => order.flatMap((i) => [...(parts[i] ?? [])])))
  .map((values) => Uint8Array.from(values));

/** All ways in which zlib writes streams. */
const options = fc.record({
  level: fc.nat(9),
  memLevel: fc.integer({ min: 1, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
});

const same = (bytes: Uint8Array, expected: Uint8Array): void => expect(Buffer.compare(bytes, expected)).toBe(0);

test("what zlib has written is inflated, whatever follows it, and its first bytes alone", () => {
  fc.assert(
    fc.property(imagery, options, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, how, share) => {
      const stream = deflateSync(bytes, how);
      same(inflate(stream, bytes.length), bytes);
      same(inflate(Buffer.concat([stream, bytes]), bytes.length + 100), bytes);
      const length = Math.floor(bytes.length * share);
      same(inflateFirst(stream, length), bytes.subarray(0, length));
    }),
    { numRuns: 300 },
  );
});

test("a stream that holds more than its block is compared with the checksum of all that it holds", () => {
  const parts = fc.tuple(imagery, imagery, options);
  fc.assert(
    fc.property(parts, ([bytes, more, how]) => {
      const stream = new Uint8Array(deflateSync(Buffer.concat([bytes, more]), how));
      fc.pre(more.length <= bytes.length);
      same(inflate(stream, bytes.length), bytes);
      stream[stream.length - 1]! ^= 1;
      expect(() => inflate(stream, bytes.length)).toThrow(CogError);
    }),
    { numRuns: 300 },
  );
});

test("a stream that is cut off is corrupt, and its first bytes are those that came before", () => {
  fc.assert(
    fc.property(imagery, options, fc.double({ min: 0, max: 0.999, noNaN: true }), (bytes, how, share) => {
      const stream = deflateSync(bytes, how);
      const cut = stream.subarray(0, Math.floor(stream.length * share));
      expect(() => inflate(cut, bytes.length)).toThrow(CogError);
      const part = inflateFirst(cut, bytes.length);
      same(part, bytes.subarray(0, part.length));
    }),
    { numRuns: 300 },
  );
});

test("a damaged stream is a CogError or the same bytes; its first bytes may be others, never more than requested", () => {
  const damaged = fc.tuple(
    imagery,
    options,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1 }),
  );
  fc.assert(
    fc.property(damaged, fc.nat(20_000), ([bytes, how, faults], length) => {
      const stream = new Uint8Array(deflateSync(bytes, how));
      for (const [at, change] of faults) stream[at % stream.length]! ^= change;
      const out = attempt(() => inflate(stream, bytes.length).slice());
      // the head of a stream may hold other values that do not matter
      if (out !== undefined) same(out, bytes);
      expect(attempt(() => inflateFirst(stream, length))?.length ?? 0).toBeLessThanOrEqual(length);
    }),
    { numRuns: 500 },
  );
});

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    expect(error).toBeInstanceOf(CogError);
    return undefined;
  }
}

describe("what RFC 1950 and 1951 rule out", () => {
  test.each([
    { what: "another compression method", stream: [0x79, 0x9c, 0x03, 0x00] },
    { what: "a header that fails its check", stream: [0x78, 0x9d, 0x03, 0x00] },
    { what: "a preset dictionary", stream: [0x78, 0xbb, 0, 0, 0, 1, 0x03, 0x00] },
    { what: "a block of the reserved type", stream: [0x78, 0x9c, 0x07] },
    { what: "a stored block whose length fails its check", stream: [0x78, 0x9c, 0x01, 2, 0, 2, 0, 7, 7] },
    { what: "a match that reaches before the start", stream: [0x78, 0x9c, 0x03, 0x02, 0, 0, 0, 0] },
    { what: "more than 286 literal codes", stream: [0x78, 0x9c, 0xfd, 0x1f, 0, 0, 0, 0, 0, 0] },
  ])("$what is corrupt", ({ stream }) => {
    expect(() => inflate(Uint8Array.from(stream), 100)).toThrow(CogError);
  });
});

test("predictor 2 is undone in whole rows", () => {
  const shape = fc.record({
    size: fc.constantFrom(1 as const, 2 as const, 4 as const),
    stride: fc.integer({ min: 1, max: 5 }),
    pixels: fc.integer({ min: 1, max: 60 }),
    rows: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(
    fc.property(shape, fc.nat(255), ({ size, stride, pixels, rows }, seed) => {
      const perRow = pixels * stride;
      const stored = Uint8Array.from(
        { length: perRow * rows * size },
        (_, i) => Math.imul(i + seed, 2_654_435_761) >>> 24,
      );
      const expected = stored.slice();
      const Words = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[size];
      undoDifferences(new Words(expected.buffer), perRow, rows, stride);
      same(inflate(deflateSync(stored), stored.length, { size, perRow, stride }), expected);
    }),
  );
});

test("where WebAssembly is forbidden the same comes out, more slowly", async () => {
  await whereWasmIsForbidden(async () => {
    const { inflateAnywhere } = await import("../../src/codecs/inflate-anywhere.ts");
    const { CogError: Damaged } = await import("../../src/errors.ts");
    const { canInflate } = await import("../../src/kernels/inflate.ts");
    expect(canInflate()).toBe(false);
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 7);
    const stream = new Uint8Array(deflateSync(bytes));
    for (const length of [200_000, 300_000, 400_000]) {
      for (const padding of [0, 3, 100]) {
        const padded = Buffer.concat([stream, new Uint8Array(padding)]);
        same(await inflateAnywhere(padded, length), bytes.subarray(0, length));
      }
    }
    await expect(inflateAnywhere(Uint8Array.of(0x78, 0x9c, 7), 10)).rejects.toThrow(Damaged);
    await expect(inflateAnywhere(stream.subarray(0, -3), 300_000)).rejects.toThrow(Damaged);
    for (const at of [1000, stream.length - 1]) {
      stream[at]! ^= 1;
      await expect(inflateAnywhere(stream, 300_000)).rejects.toThrow(Damaged);
      await expect(inflateAnywhere(stream, 200_000)).rejects.toThrow(Damaged);
      stream[at]! ^= 1;
    }
  });
});
