import jpegTurbo from "@julusian/jpeg-turbo";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { EncodeError, type ImageEncoder, portableEncoder } from "../../src/index.ts";
import { createNodeEncoder, nodeEncoder } from "../../src/node.ts";
import { decode, landscape, paletteImage, psnr, rgba } from "../images.ts";

const encoders: [string, ImageEncoder][] = [
  ["portableEncoder", portableEncoder],
  ["nodeEncoder", nodeEncoder],
  ["nodeEncoder with libjpeg-turbo", createNodeEncoder({ jpegTurbo })],
];
const images = [
  { name: "grey", image: landscape(100, 60, 1) },
  { name: "RGB", image: landscape(256, 256, 3) },
  { name: "RGBA", image: landscape(131, 77, 4) },
  { name: "palette", image: paletteImage(90, 90) },
  { name: "small palette", image: paletteImage(40, 30, 3) },
  { name: "one pixel", image: landscape(1, 1, 3) },
  { name: "one column", image: landscape(1, 40, 4) },
  { name: "large RGBA", image: landscape(600, 520, 4) },
];

/** Returns the pixels as a viewer sees them: transparent pixels have no colour. */
function visible(pixels: Uint8Array): Uint8Array {
  const out = pixels.slice();
  for (let i = 0; i < out.length; i += 4) if (out[i + 3] === 0) out.fill(0, i, i + 3);
  return out;
}

describe.each(encoders)("%s", (_, encoder) => {
  test.each(images)("a PNG of a $name image decodes to exactly its pixels", async ({ image }) => {
    expect(await decode(await encoder.encode(image, "png"), "png")).toEqual(rgba(image));
  });

  test.each(images)("a JPEG of a $name image is close to it, on white", async ({ image }) => {
    const expected = rgba(image);
    for (let i = 0; i < expected.length; i += 4) if (expected[i + 3] === 0) expected.fill(255, i, i + 4);
    const actual = await decode(await encoder.encode(image, "jpg"), "jpg");
    expect(psnr(expected, actual)).toBeGreaterThan(image.palette ? 18 : 28);
    expect(actual.every((value, i) => i % 4 !== 3 || value === 255)).toBe(true);
  });

  test.each(images)("a WebP of a $name image is close to it and keeps its alpha", async ({ image }) => {
    const expected = rgba(image);
    const actual = await decode(await encoder.encode(image, "webp"), "webp");
    expect(psnr(expected, actual)).toBeGreaterThan(image.palette ? 18 : 28);
    const alpha = (pixels: Uint8Array): Uint8Array => pixels.filter((_value, i) => i % 4 === 3);
    expect(alpha(actual)).toEqual(alpha(expected));
  });

  test("transparent pixels of a JPEG are white", async () => {
    const image = { width: 32, height: 32, channels: 4 as const, data: new Uint8Array(32 * 32 * 4) };
    const actual = await decode(await encoder.encode(image, "jpg"), "jpg");
    expect(actual.every((value) => value >= 254)).toBe(true);
  });

  test.each(["png", "jpg", "webp"] as const)("the same image gives the same %s bytes", async (format) => {
    const image = landscape(120, 90, 4);
    expect(await encoder.encode(image, format)).toEqual(await encoder.encode(image, format));
  });

  test.each(["jpg", "webp"] as const)("a higher quality makes a larger %s", async (format) => {
    const image = landscape(128, 128, 3);
    const low = await encoder.encode(image, format, { quality: 30 });
    const high = await encoder.encode(image, format, { quality: 95 });
    expect(high.length).toBeGreaterThan(1.5 * low.length);
  });

  test("any image survives PNG", async () => {
    const pixels = fc
      .record({
        width: fc.integer({ min: 1, max: 40 }),
        height: fc.integer({ min: 1, max: 40 }),
        channels: fc.constantFrom(1 as const, 3 as const, 4 as const),
      })
      .chain(({ width, height, channels }) => {
        const length = width * height * channels;
        return fc
          .uint8Array({ minLength: length, maxLength: length })
          .map((data) => ({ width, height, channels, data }));
      });
    await fc.assert(
      fc.asyncProperty(pixels, async (image) => {
        const decoded = await decode(await encoder.encode(image, "png"), "png");
        expect(visible(decoded)).toEqual(visible(rgba(image)));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    { name: "too little data", image: { ...landscape(8, 8, 3), data: new Uint8Array(5) }, code: "invalid-raster" },
    {
      name: "no pixels",
      image: { width: 0, height: 4, channels: 1 as const, data: new Uint8Array(0) },
      code: "invalid-raster",
    },
    {
      name: "an index past the palette",
      image: { ...paletteImage(8, 8, 4), palette: new Uint8Array(4) },
      code: "invalid-raster",
    },
    { name: "a palette for RGB", image: { ...landscape(8, 8, 3), palette: new Uint8Array(4) }, code: "invalid-raster" },
  ])("$name is refused", async ({ image, code }) => {
    await expect(encoder.encode(image, "png")).rejects.toMatchObject({ name: "EncodeError", code });
  });

  test("a quality out of range is refused", async () => {
    await expect(encoder.encode(landscape(8, 8, 3), "jpg", { quality: 0 })).rejects.toBeInstanceOf(EncodeError);
  });

  test.each([
    { format: "png", name: "PNG", longest: 1_000_000 },
    { format: "jpg", name: "JPEG", longest: 65_500 },
    { format: "webp", name: "WebP", longest: 16_383 },
  ] as const)(
    "$name has edges of at most $longest pixels, as many as others read",
    async ({ format, name, longest }) => {
      for (const isTall of [false, true]) {
        const imageOf = (edge: number) => {
          const [width, height] = isTall ? [1, edge] : [edge, 1];
          return { width, height, channels: 1 as const, data: new Uint8Array(edge).fill(90) };
        };
        const image = imageOf(longest);
        const { width, height } = await sharp(await encoder.encode(image, format)).metadata();
        expect([width, height]).toEqual([image.width, image.height]);
        await expect(encoder.encode(imageOf(longest + 1), format)).rejects.toMatchObject({
          name: "EncodeError",
          code: "invalid-raster",
          message: expect.stringContaining(`1 to ${longest} pixels for ${name}`),
        });
      }
    },
  );

  test("more pixels than memory has addresses for are refused", async () => {
    // the system gives no memory for zeros that nobody writes
    const image = { width: 32_768, height: 16_385, channels: 1 as const, data: new Uint8Array(32_768 * 16_385) };
    await expect(encoder.encode(image, "jpg")).rejects.toMatchObject({ name: "EncodeError", code: "invalid-raster" });
    await expect(encoder.encode(image, "png")).rejects.toThrow("at most 536870912 bytes of pixels");
  });
});

test("both encoders make JPEGs of about the same size and fidelity", async () => {
  const image = landscape(256, 256, 3);
  const expected = rgba(image);
  const [portable, native] = await Promise.all(encoders.map(([, encoder]) => encoder.encode(image, "jpg")));
  const fidelity = async (bytes: Uint8Array): Promise<number> => psnr(expected, await decode(bytes, "jpg"));
  expect(portable!.length / native!.length).toBeCloseTo(1, 0);
  expect((await fidelity(portable!)) - (await fidelity(native!))).toBeGreaterThan(-1);
});

describe("libjpeg-turbo", () => {
  const encoder = createNodeEncoder({ jpegTurbo });

  test("encodes large images in the background", async () => {
    const calls: string[] = [];
    const spied = new Proxy(jpegTurbo, {
      get(target, name, receiver) {
        if (String(name).startsWith("compress")) calls.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
    const counting = createNodeEncoder({ jpegTurbo: spied });
    for (const [image, expected] of [
      [landscape(1024, 1024, 1), "compressSync"],
      [landscape(1025, 1024, 1), "compress"],
    ] as const) {
      calls.length = 0;
      const bytes = await counting.encode(image, "jpg");
      expect(calls).toEqual([expected]);
      expect(psnr(rgba(image), await decode(bytes, "jpg"))).toBeGreaterThan(28);
    }
  });

  test("gives bytes of their own: the next image does not change them", async () => {
    const first = await encoder.encode(landscape(256, 256, 3), "jpg");
    const kept = first.slice();
    await encoder.encode(landscape(300, 200, 3), "jpg");
    expect(first).toEqual(kept);
    expect(first.byteLength).toBe(first.buffer.byteLength);
  });

  test("a fault of the library is an error of the codec", async () => {
    const broken = createNodeEncoder({
      jpegTurbo: {
        ...jpegTurbo,
        compressSync() {
          throw new Error("no memory");
        },
      },
    });
    await expect(broken.encode(landscape(10, 10, 3), "jpg")).rejects.toMatchObject({ code: "codec" });
  });
});
