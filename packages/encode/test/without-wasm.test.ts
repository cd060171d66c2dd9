import { inflateSync } from "node:zlib";
import { fromArrayBuffer } from "geotiff";
import { expect, test } from "vitest";
import { portableDeflate } from "../src/deflate/deflate.ts";
import { encodeGeoTiff } from "../src/index.ts";
import { decode, landscape, paletteImage, rgba } from "./images.ts";
import { SAMPLE_TYPES, terrain } from "./rasters.ts";
import { whereForbidden } from "./where-forbidden.ts";

test("where WebAssembly is forbidden PNGs hold the same pixels", async () => {
  await whereForbidden(async () => {
    const { portableEncoder } = await import("../src/index.ts");
    const sizes = [
      [1, 1],
      [7, 5],
      [130, 90],
    ] as const;
    for (const [width, height] of sizes) {
      const colours = ([1, 3, 4] as const).map((channels) => landscape(width, height, channels));
      for (const image of [...colours, paletteImage(width, height)]) {
        const bytes = await portableEncoder.encode(image, "png");
        expect(Buffer.compare(await decode(bytes, "png"), rgba(image))).toBe(0);
      }
    }
  });
});

async function valuesOf(file: Uint8Array): Promise<unknown> {
  return (await (await fromArrayBuffer(new Uint8Array(file).buffer)).getImage()).readRasters();
}

const CASES = SAMPLE_TYPES.flatMap((type) =>
  ([1, 2, 3] as const).map(
    (predictor) => ({ type, predictor, interleave: predictor === 1 ? "band" : "pixel" }) as const,
  ),
).filter(({ type, predictor }) => (predictor === 3) === type.startsWith("float") || predictor === 1);

test.each(CASES)(
  "where WebAssembly is forbidden a GeoTIFF of $type by predictor $predictor is the same to the byte",
  async ({ type, predictor, interleave }) => {
    const raster = terrain(type, 70, 45, 3);
    const options = { predictor, interleave, blockSize: 32 } as const;
    const file = await encodeGeoTiff(raster, { ...options, deflate: portableDeflate });
    await whereForbidden(async () => {
      const plain = await import("../src/index.ts");
      const { portableDeflate: deflate } = await import("../src/deflate/deflate.ts");
      const theirs = await plain.encodeGeoTiff(raster, { ...options, deflate });
      expect(Buffer.compare(theirs, file)).toBe(0);
      // what predicts and compresses at once elsewhere
      expect(Buffer.compare(inflateSync(await plain.deflateRuns(file, 1)), file)).toBe(0);
      const byRuns = await plain.encodeGeoTiff(raster, { ...options, deflate: plain.deflateRuns });
      expect(await valuesOf(byRuns)).toEqual(await valuesOf(file));
    });
  },
);
