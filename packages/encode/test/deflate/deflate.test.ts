import { constants, deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadContext } from "../../src/context.ts";
import { compressRuns } from "../../src/deflate/runs.ts";

/** Calls the kernels for bytes in their memory, and returns the memory after these bytes. */
function inMemory(input: ArrayBufferView, call: (from: number, to: number) => unknown): Uint8Array<ArrayBuffer> {
  const { base, bytes } = threadContext().kernels!(input.byteLength + 4096);
  const to = (base + input.byteLength + 15) & ~15;
  bytes.set(new Uint8Array(input.buffer, input.byteOffset, input.byteLength), base);
  call(base, to);
  return bytes.slice(to, to + 4000);
}

function adler32(bytes: Uint8Array): number {
  let sum = 0;
  inMemory(bytes, (from) => {
    sum = threadContext().kernels!(0).run.adler32(from, bytes.length) >>> 0;
  });
  return sum;
}

/** Bytes of a few values in runs, and noise between them. */
const patchy = fc
  .array(
    fc.oneof(
      fc.record({ value: fc.nat(255), length: fc.integer({ min: 1, max: 700 }) }),
      fc.uint8Array({ maxLength: 40 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) =>
    Uint8Array.from(
      parts.flatMap((part) =>
        part instanceof Uint8Array ? [...part] : new Array<number>(part.length).fill(part.value),
      ),
    ),
  );

/** Seeded noise of a given spread around 0, as differences of neighbours are. */
function noise(length: number, spread: number): Uint8Array {
  let state = 12345;
  return Uint8Array.from({ length }, () => {
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      sum += state / 2 ** 32 - 0.5;
    }
    return Math.round(sum * spread);
  });
}

test("zlib reads what was written", () => {
  fc.assert(
    fc.property(patchy, fc.nat(3), (bytes, offset) => {
      const memory = new Uint8Array(bytes.length + offset);
      memory.set(bytes, offset);
      const stream = compressRuns(memory.subarray(offset));
      expect(Buffer.compare(inflateSync(stream), bytes)).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test("a Buffer within a larger one is read from where it starts", () => {
  const whole = Buffer.from(noise(1003, 20));
  for (let start = 0; start < 4; start++) {
    const part = whole.subarray(start);
    expect(Buffer.compare(inflateSync(compressRuns(part)), part)).toBe(0);
  }
});

test.each([0, 1, 2, 127, 128, 254, 255])("no match reaches back before the start (%i)", (value) => {
  for (const first of [0, 1, 127, 128, 254, 255]) {
    const bytes = new Uint8Array(64).fill(value);
    bytes[0] = first;
    expect(Buffer.compare(inflateSync(compressRuns(bytes)), bytes)).toBe(0);
  }
});

describe.each([0, 1, 3, 65_531, 65_532, 65_533, 65_536, 131_064, 300_001])("%i bytes", (length) => {
  test.each([0, 0.5, 8, 60, 5000])("of noise of spread %d come back", (spread) => {
    const bytes = noise(length, spread);
    const stream = compressRuns(bytes);
    expect(Buffer.compare(inflateSync(stream), bytes)).toBe(0);
    // what would grow is stored: five bytes for each 65,532, and eight around all
    expect(stream.length).toBeLessThanOrEqual(length + 8 + 5 * Math.ceil(length / 65_532) + 5);
  });
});

test("a stream that is at times ahead of what it overwrites comes back", () => {
  // within a segment noise, whose codes are long beside those of that many zeros, and then the zeros; and the other way
  // round
  const part = noise(32_768, 5000);
  for (const order of [
    [part, new Uint8Array(32_764)],
    [new Uint8Array(32_764), part],
  ]) {
    const bytes = new Uint8Array(65_532 * 20 + 7);
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const next = (order[i % 2] as Uint8Array).subarray(0, bytes.length - at);
      bytes.set(next, at);
      at += next.length;
    }
    expect(Buffer.compare(inflateSync(compressRuns(bytes)), bytes)).toBe(0);
  }
});

test.each([0.5, 2, 12, 60])(
  "the size is that of zlib's runs within some hundredths for noise of spread %d",
  (spread) => {
    const bytes = noise(500_000, spread);
    const theirs = deflateSync(bytes, { level: 1, memLevel: 9, strategy: constants.Z_RLE });
    expect(compressRuns(bytes).length).toBeLessThan(theirs.length * 1.05);
  },
);

/** Words without a predictor: samples of four bytes, some of which stand in the window already. */
const WORDS = { predictor: 1, bytesPerSample: 4, rowLength: 1, stride: 1 } as const;
const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

describe("samples of four bytes", () => {
  test("come back, however often and how far from each other they repeat", () => {
    const part = fc.record({ values: fc.integer({ min: 1, max: 20_000 }), length: fc.nat(30_000), seed: fc.nat() });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.uint8Array({ maxLength: 3 }), (parts, rest) => {
        const words = parts.flatMap(({ values, length, seed }) => {
          let state = seed;
          return Array.from({ length }, () => {
            state = (Math.imul(state, 1103515245) + 12345) >>> 0;
            return Math.imul((state >>> 8) % values, 0x01000193) >>> 0;
          });
        });
        const bytes = Buffer.concat([bytesOf(Uint32Array.from(words)), rest]);
        expect(Buffer.compare(inflateSync(compressRuns(bytes, WORDS)), bytes)).toBe(0);
      }),
    );
  });

  // one word twice among others that differ: a match reaches back 32,768 bytes and no further (RFC 1951, section 2)
  test.each([4, 8, 32_764, 32_768, 32_772, 65_536])("match %i bytes back where a stream may", (back) => {
    for (const first of [0, 1, 16_380, 16_383, 20_000]) {
      const words = Uint32Array.from({ length: 40_000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
      words[first + back / 4] = words[first]!;
      const bytes = bytesOf(words);
      expect(Buffer.compare(inflateSync(compressRuns(bytes, WORDS)), bytes)).toBe(0);
    }
  });

  test("depend on nothing that was compressed before", () => {
    const words = Uint32Array.from({ length: 50_000 }, (_, i) => Math.imul(i % 3001, 0x9e3779b1));
    const alone = compressRuns(bytesOf(words), WORDS).slice();
    compressRuns(bytesOf(words.map((word) => word ^ 0x5555)), WORDS);
    compressRuns(bytesOf(words.subarray(1)), WORDS);
    expect(Buffer.compare(compressRuns(bytesOf(words), WORDS), alone)).toBe(0);
  });

  test("that are scaled integers take no more than with zlib's level 1", () => {
    const integers = noise(400_000, 60);
    const floats = Float32Array.from(integers, (value, i) => (1500 + 8 * value + (integers[i + 1] ?? 0)) * 0.0001);
    const bytes = new Uint8Array(floats.buffer);
    expect(compressRuns(bytes, WORDS).length).toBeLessThan(deflateSync(bytes, { level: 1 }).length);
  });

  test("that are all the same take next to nothing", () => {
    const bytes = new Uint8Array(Float32Array.from({ length: 262_144 }, () => -9999).buffer);
    expect(compressRuns(bytes, WORDS).length).toBeLessThan(6000);
  });
});

test("a blank image is next to nothing", () => {
  expect(compressRuns(new Uint8Array(256 * 1025)).length).toBeLessThan(1200);
});

test("the checksum is that of the standard", () => {
  // RFC 1950 has no vector; this is the well-known one of the word
  expect(adler32(new TextEncoder().encode("Wikipedia"))).toBe(0x11e60398);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      const stream = deflateSync(bytes);
      expect(adler32(bytes)).toBe(stream.readUInt32BE(stream.length - 4));
    }),
  );
});

test("code lengths fill the code space, keep to the limit, and are shorter for what is more frequent", () => {
  const frequencies = fc.array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(60_000)), { minLength: 2, maxLength: 286 });
  fc.assert(
    fc.property(frequencies, fc.constantFrom(9, 12, 15), (counts, limit) => {
      const lengths = inMemory(Uint32Array.from(counts), (from, to) => {
        threadContext().kernels!(0).run.codeLengths(from, counts.length, limit, to);
      }).subarray(0, counts.length);
      const used = counts.flatMap((count, i) => (count > 0 ? [i] : []));
      expect(counts.every((count, i) => count > 0 === lengths[i]! > 0)).toBe(true);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(limit);
      if (used.length < 2) return;
      expect(used.reduce((sum, i) => sum + 2 ** -lengths[i]!, 0)).toBe(1);
      for (const i of used)
        for (const k of used) if (counts[i]! > counts[k]!) expect(lengths[i]).toBeLessThanOrEqual(lengths[k]!);
    }),
  );
});

test("codes are those of the standard's example", () => {
  // RFC 1951, section 3.2.2: lengths 3, 3, 3, 3, 3, 2, 4, 4 for A to H
  const lengths = Uint8Array.of(3, 3, 3, 3, 3, 2, 4, 4);
  const memory = inMemory(lengths, (from, to) => threadContext().kernels!(0).run.canonicalCodes(from, 8, to));
  const texts = Array.from(new Uint32Array(memory.buffer, 0, 8), (packed, i) => {
    expect(packed >> 16).toBe(lengths[i]);
    const bits = [...(packed & 0xffff).toString(2).padStart(lengths[i]!, "0")];
    return bits.reverse().join("");
  });
  expect(texts).toEqual(["010", "011", "100", "101", "110", "00", "1110", "1111"]);
});
