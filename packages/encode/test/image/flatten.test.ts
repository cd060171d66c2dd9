import type { Image } from "@swath/raster/style";
import fc from "fast-check";
import { expect, test } from "vitest";
import { threadContext } from "../../src/context.ts";
import { flatten } from "../../src/image/image.ts";
import { random } from "../images.ts";
import { whereForbidden } from "../where-forbidden.ts";

/** RGBA, half of it opaque or clear as images are, the rest of any opacity. */
const images = fc.record({
  width: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(300)),
  height: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(230)),
  seed: fc.integer(),
});

function rgbaOf(count: number, seed: number): Uint8Array {
  const next = random(seed);
  const data = Uint8Array.from({ length: 4 * count }, () => 256 * next());
  const plain = next();
  for (let i = 3; i < data.length; i += 4) if (next() < plain) data[i] = next() < 0.5 ? 0 : 255;
  return data;
}

test("images are composited on white by the formula, with WebAssembly and where it is forbidden", async () => {
  const ways = [(image: Image) => flatten(threadContext(), image)];
  await whereForbidden(async () => {
    const here = await import("../../src/image/image.ts");
    const context = (await import("../../src/context.ts")).threadContext();
    expect(context.kernels).toBeUndefined();
    ways.push((image) => here.flatten(context, image));
    fc.assert(
      fc.property(images, ({ width, height, seed }) => {
        const data = rgbaOf(width * height, seed);
        const expected = new Uint8Array(3 * width * height).map((_, i) => {
          const pixel = 4 * Math.floor(i / 3);
          const alpha = data[pixel + 3]!;
          return Math.floor((2 * (data[pixel + (i % 3)]! * alpha + 255 * (255 - alpha)) + 255) / 510);
        });
        for (const lay of ways) {
          const drawn = lay({ width, height, channels: 4, data });
          expect(drawn.channels).toBe(3);
          expect(Buffer.compare(drawn.data, expected)).toBe(0);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test("every value at every opacity is composited on white by the formula", () => {
  const data = Uint8Array.from({ length: 4 * 65_536 }, (_, i) => (i % 4 === 3 ? i >> 10 : (i >> 2) & 255));
  const { data: drawn } = flatten(threadContext(), { width: 256, height: 256, channels: 4, data });
  for (let i = 0; i < drawn.length; i++) {
    const [value, alpha] = [Math.floor(i / 3) & 255, Math.floor(i / 768)];
    if (drawn[i] !== Math.round((value * alpha + 255 * (255 - alpha)) / 255)) expect.fail(`${value} at ${alpha}`);
  }
});
