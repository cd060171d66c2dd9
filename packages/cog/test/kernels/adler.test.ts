import zlib from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inflateAnywhere } from "../../src/codecs/inflate-anywhere.ts";
import { adler32 } from "../../src/kernels/adler.ts";
import { inflate, inflateFirst } from "../../src/kernels/inflate.ts";

const stated = (stream: Uint8Array): number => Buffer.from(stream).readUInt32BE(stream.length - 4);

test("Adler-32 is zlib's, whatever the bytes and wherever they begin", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(3), (bytes, start) => {
      const part = bytes.subarray(start);
      expect(adler32(part)).toBe(stated(zlib.deflateSync(part)));
    }),
  );
  for (const length of [59, 60, 61, 5552, 300_000]) {
    const most = new Uint8Array(length).fill(255);
    expect(adler32(most)).toBe(stated(zlib.deflateSync(most)));
  }
});

test("the kernel's Adler-32 is zlib's too: a stream that is inflated whole is taken as it is", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 3000 }), (part) => {
      expect(inflate(zlib.deflateSync(part), part.length)).toEqual(part);
    }),
  );
  for (const length of [239, 240, 241, 5519, 5520, 5521, 300_000]) {
    for (const value of [0, 1, 255]) {
      const alike = new Uint8Array(length).fill(value);
      const made = new Uint8Array(zlib.deflateSync(alike));
      expect(Buffer.compare(inflate(made, length), alike)).toBe(0);
      made[made.length - 1]! ^= 1;
      expect(() => inflate(made, length)).toThrow(expect.objectContaining({ code: "corrupt" }));
    }
  }
});

const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * i) >> 7);
const stream = new Uint8Array(zlib.deflateSync(bytes));
const wrong = stream.slice();
wrong[wrong.length - 2]! ^= 4;

test("a checksum that differs is an error, and not of the first bytes alone", async () => {
  expect([...inflate(stream, bytes.length)]).toEqual([...bytes]);
  expect(() => inflate(wrong, bytes.length)).toThrow(expect.objectContaining({ code: "corrupt" }));
  await expect(inflateAnywhere(wrong, bytes.length)).rejects.toMatchObject({ code: "corrupt" });
  expect([...inflateFirst(wrong, 1000)]).toEqual([...bytes.subarray(0, 1000)]);
});

test("bytes after a stream, and rows after those of the image, are no errors", () => {
  const padded = new Uint8Array(stream.length + 100);
  padded.set(stream);
  expect(inflate(padded, bytes.length)).toHaveLength(bytes.length);
  // a strip that holds more than is requested ends elsewhere
  for (const length of [40_000, 65_000, bytes.length - 1]) {
    expect([...inflate(stream, length)]).toEqual([...bytes.subarray(0, length)]);
    expect(() => inflate(wrong, length)).toThrow(expect.objectContaining({ code: "corrupt" }));
  }
});
