import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { encodePng, type PngImage } from "../../src/image/png.ts";
import { decodeSamples, random } from "../images.ts";
import { whereForbidden } from "../where-forbidden.ts";

/** Noise of all values; in some pixels alpha is 0 or the greatest. */
function noise(channels: PngImage["channels"], bits: 8 | 16, width = 37, height = 23): PngImage {
  const next = random(channels + bits);
  const count = width * height * channels;
  const most = 2 ** bits - 1;
  const value = (): number => [0, most][Math.floor(next() * 6)] ?? Math.floor(next() * (most + 1));
  const data = bits === 8 ? Uint8Array.from({ length: count }, value) : Uint16Array.from({ length: count }, value);
  return { width, height, channels, data };
}

describe.each([8, 16] as const)("a PNG of %i bits", (bits) => {
  test.each([1, 2, 3, 4] as const)("of %i channels holds the same samples", async (channels) => {
    const image = noise(channels, bits);
    const decoded = await decodeSamples(await encodePng(image), bits);
    expect(decoded).toEqual({ channels, samples: [...image.data] });
  });

  test.each([1, 2, 3, 4] as const)("of %i channels holds them where WebAssembly is forbidden", async (channels) => {
    await whereForbidden(async () => {
      const { portableEncoder } = await import("../../src/index.ts");
      const here = await import("../../src/image/png.ts");
      // asks for the kernels
      await portableEncoder.encode({ width: 1, height: 1, channels: 1, data: new Uint8Array(1) }, "png");
      const image = noise(channels, bits);
      expect(await decodeSamples(await here.encodePng(image), bits)).toEqual({ channels, samples: [...image.data] });
    });
  });
});

test("samples that are a part of a larger array are read from where they start", async () => {
  const { data, ...shape } = noise(1, 16);
  const larger = new Uint16Array(data.length + 9).fill(7);
  larger.set(data, 5);
  const file = await encodePng({ ...shape, data: larger.subarray(5, 5 + data.length) });
  expect((await decodeSamples(file, 16)).samples).toEqual([...data]);
});

test("a palette image has a palette in the file", async () => {
  const palette = Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 255);
  const file = await encodePng({ width: 2, height: 1, channels: 1, data: Uint8Array.of(1, 0), palette });
  expect(file[25]).toBe(3);
  expect([...PNG.sync.read(Buffer.from(file)).data]).toEqual([4, 5, 6, 255, 1, 2, 3, 0]);
});

test.each([
  { name: "too few samples", image: { ...noise(2, 8), data: new Uint8Array(5) } },
  { name: "no pixels", image: { width: 0, height: 4, channels: 1 as const, data: new Uint16Array(0) } },
  { name: "half a pixel", image: { ...noise(1, 16), width: 18.5 } },
  { name: "a palette of 16 bits", image: { ...noise(1, 16), palette: new Uint8Array(4) } },
  { name: "an index past the palette", image: { ...noise(1, 8), palette: new Uint8Array(4) } },
])("$name is refused", async ({ image }) => {
  await expect(encodePng(image)).rejects.toMatchObject({ name: "EncodeError", code: "invalid-raster" });
});
