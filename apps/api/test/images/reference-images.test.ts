import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../tools/harness.ts";
import { type Pixels, pixelsOf } from "../tools/images.ts";
import { compareImages, type Tolerance } from "./reference-images/compare.ts";

/** Set by `npm run reference-images -- --update` alone. */
const update = process.env.UPDATE_REFERENCE_IMAGES === "1";
if (update && process.env.CI !== undefined) throw new Error("Reference images are never changed in CI.");

/** PNG keeps every level, and every step before it is integer or IEEE arithmetic that no platform does otherwise. */
const EXACT: Tolerance = { largest: 0, mean: 0 };
/**
 * JPEG is encoded by libjpeg-turbo, by libvips, or by the portable encoder, whichever is there. Their images of the tiles
 * here differ by at most 15 levels, by 0.8 on average, since each rounds its DCT and averages chroma in its own way.
 */
const JPEG: Tolerance = { largest: 20, mean: 1 };
/**
 * Versions of libwebp search for predictors and filters in other ways. Efforts 0 and 4 of one version, which differ in the
 * same things, give images of these tiles that differ by at most 24 levels, by 1.9 on average.
 */
const WEBP: Tolerance = { largest: 32, mean: 2.5 };

const JULY = "datetime=2024-07-01/2024-07-31";
const tile = (preset: string, address: string, collection: string, format = "png"): string =>
  `/v1/tiles/${preset}/${address}.${format}?collection=${collection}&${JULY}`;
/** A tile of which a strip in the north has no scene, in both tile matrix sets. */
const MERCATOR = "WebMercatorQuad/9/275/182";
const DEGREES = "WorldCRS84Quad/8/275/62";
const S2 = "sentinel-2-l2a";
const LANDSAT = "landsat-ot-l2";

const CASES: readonly { readonly name: string; readonly address: string; readonly tolerance: Tolerance }[] = [
  { name: "true-color-sentinel-2", address: tile("true-color", MERCATOR, S2), tolerance: EXACT },
  { name: "false-color-sentinel-2", address: tile("false-color", MERCATOR, S2), tolerance: EXACT },
  { name: "ndvi-sentinel-2", address: tile("ndvi", MERCATOR, S2), tolerance: EXACT },
  { name: "true-color-landsat", address: tile("true-color", MERCATOR, LANDSAT), tolerance: EXACT },
  { name: "false-color-landsat", address: tile("false-color", MERCATOR, LANDSAT), tolerance: EXACT },
  { name: "ndvi-landsat", address: tile("ndvi", MERCATOR, LANDSAT), tolerance: EXACT },
  { name: "true-color-sentinel-2-degrees", address: tile("true-color", DEGREES, S2), tolerance: EXACT },
  { name: "ndvi-landsat-degrees", address: tile("ndvi", DEGREES, LANDSAT), tolerance: EXACT },
  { name: "ndvi-sentinel-2-with-nodata", address: tile("ndvi", "WebMercatorQuad/8/137/91", S2), tolerance: EXACT },
  {
    name: "false-color-landsat-native",
    address: tile("false-color", "WebMercatorQuad/12/2203/1460", LANDSAT),
    tolerance: EXACT,
  },
  {
    name: "preview-sentinel-2",
    address: "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=256",
    tolerance: EXACT,
  },
  {
    name: "preview-landsat",
    address: "/v1/collections/landsat-ot-l2/items/LC08_L2SP_191028_20240705_02_T1/preview.png?max_size=256",
    tolerance: EXACT,
  },
  { name: "true-color-sentinel-2-jpeg", address: tile("true-color", MERCATOR, S2, "jpg"), tolerance: JPEG },
  { name: "true-color-sentinel-2-webp", address: tile("true-color", MERCATOR, S2, "webp"), tolerance: WEBP },
];

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

const fileOf = (name: string, file: string): string =>
  fileURLToPath(new URL(`./reference-images/${name}/${file}`, import.meta.url));

async function read(path: string): Promise<Pixels> {
  return pixelsOf(new Response(new Uint8Array(await readFile(path))));
}

async function write(path: string, { width, height, data }: Pixels): Promise<void> {
  const png = sharp(data, { raw: { width, height, channels: 4 } }).png({ compressionLevel: 9, palette: false });
  await writeFile(path, await png.toBuffer());
}

test.each(CASES)("$name is the reference image", async ({ name, address, tolerance }) => {
  const response = await service.get(address);
  expect(response.status).toBe(200);
  const actual = await pixelsOf(response);
  const [expected, wrong] = [fileOf(name, "expected.png"), fileOf(name, "actual.png")];
  if (update) {
    await mkdir(fileOf(name, ""), { recursive: true });
    const before = existsSync(expected) ? compareImages(await read(expected), actual) : undefined;
    if (before === undefined) console.info(`${name}: new`);
    else if (before.different > 0) console.info(`${name}: ${before.summary}`);
    // an image within its tolerance stays, so that another platform's encoder changes nothing
    if (before === undefined || before.largest > tolerance.largest || before.mean > tolerance.mean) {
      await write(expected, actual);
    }
    await rm(wrong, { force: true });
    return;
  }
  const { largest, mean, summary } = compareImages(await read(expected), actual);
  if (largest > tolerance.largest || mean > tolerance.mean) {
    await write(wrong, actual);
    expect.fail(`${name}: ${summary}. See ${wrong}; a wanted change: npm run reference-images -- --update`);
  }
  await rm(wrong, { force: true });
  expect(largest).toBeLessThanOrEqual(tolerance.largest);
  expect(mean).toBeLessThanOrEqual(tolerance.mean);
});

test("one level in one channel of one pixel is noticed, and so are another size and transparency", () => {
  const image = (width: number, height: number): Pixels => ({
    width,
    height,
    data: Uint8Array.from({ length: width * height * 4 }, (_, i) => (i % 4 === 3 ? 255 : i)),
  });
  expect(compareImages(image(4, 4), image(4, 4))).toMatchObject({ different: 0, largest: 0, mean: 0 });
  const changed = { ...image(4, 4), data: image(4, 4).data.with(21, 22) };
  expect(compareImages(image(4, 4), changed)).toMatchObject({ different: 1, largest: 1, mean: 1 / 64 });
  expect(compareImages(image(4, 4), image(4, 5)).largest).toBe(Infinity);
  const clear = { ...image(4, 4), data: image(4, 4).data.with(3, 0) };
  expect(compareImages(image(4, 4), clear)).toMatchObject({ different: 1, largest: 255 });
  // the colour of a transparent pixel makes no difference
  expect(compareImages(clear, { ...clear, data: clear.data.with(0, 99) }).different).toBe(0);
});
