import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createGeoTiffWriter } from "@swath/encode";
import { fileSink, fileSpool, nodeDeflate } from "@swath/encode/node";
import { OpenEoError, type PlannedResult } from "@swath/openeo";
import type { RasterWork } from "../../job/cube-plan.ts";
import type { EngineParts } from "../../parts.ts";
import type { ComputedRows, ReducedGroup } from "../../run/compute/compute-job.ts";
import { writeResult } from "../../run/files/result-file.ts";
import { encoder } from "../../run/image/encoder.ts";

const GEOTIFF = "image/tiff; application=geotiff";

type RasterResult = Extract<PlannedResult, { kind: "raster" }>;

/** Computes a raster and writes its file. */
export function writeRaster(
  services: Pick<EngineParts, "renderer" | "results">,
  { result, resultNode }: { readonly result: RasterResult; readonly resultNode: string },
  work: RasterWork,
  options: { readonly signal: AbortSignal },
) {
  return result.format === "GTiff"
    ? writeGeoTiff(services, result, work, options)
    : writeImage(services, { format: result.format, node: resultNode }, work, options);
}

/** Rows go to the file as they are computed, whatever its size. */
async function writeGeoTiff(
  { renderer, results }: Pick<EngineParts, "renderer" | "results">,
  { bands }: RasterResult,
  { grid, job }: RasterWork,
  { signal }: { readonly signal: AbortSignal },
) {
  return writeResult(results, async ({ id, directory }) => {
    const path = join(directory, "result.tif");
    const sink = await fileSink(path);
    const writer = await createGeoTiffWriter({ grid, sampleType: "float32", bandCount: bands.length }, sink, {
      nodata: Number.NaN,
      predictor: 3,
      bands: bands.map(({ name }) => ({ name })),
      deflate: nodeDeflate,
      spool: fileSpool(results.spoolDirectory),
      signal,
    });
    try {
      const onRows = ({ bands: rows }: ComputedRows): Promise<void> =>
        writer.write({ bands: rows, valid: validInAny(rows) });
      const { groups } = await renderer.compute(job, { signal, onRows });
      await writer.finish();
      const { size } = await stat(path);
      return {
        mediaType: GEOTIFF,
        content: { resultId: id, path, size },
        filename: "result.tif",
        ...scenesOf(groups),
      };
    } catch (error) {
      await writer.abort();
      throw error;
    }
  });
}

/** The scenes that gave pixels, and those that were left out. */
const scenesOf = (groups: readonly ReducedGroup[]) => ({
  used: new Set(groups.flatMap(({ used }) => used)),
  skipped: groups.flatMap(({ skipped }) => skipped),
});

/** 1 where any band has a value: the others hold NaN, which is nodata too. */
function validInAny(bands: readonly Float32Array[]): Uint8Array {
  const valid = new Uint8Array(bands[0]?.length ?? 0);
  for (const band of bands) for (let i = 0; i < valid.length; i++) if (!Number.isNaN(band[i]!)) valid[i] = 1;
  return valid;
}

/**
 * Values are bytes: rounded, from 0 to 255. No data is transparent in PNG; in JPEG, which has no transparency, white.
 *
 * @throws {OpenEoError} `FormatUnsuitable` for values that differ, all of which would be as good as black, or white.
 */
async function writeImage(
  { renderer }: Pick<EngineParts, "renderer">,
  { format, node }: { readonly format: "PNG" | "JPEG"; readonly node: string },
  { grid: { width, height }, job }: RasterWork,
  { signal }: { readonly signal: AbortSignal },
) {
  const data = new Uint8Array(width * height * 4);
  let row = 0;
  const range = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const onRows = async ({ bands, height: rows }: ComputedRows): Promise<void> => {
    for (const band of bands) widen(range, band);
    fillPixels(data.subarray(row * width * 4), bands);
    row += rows;
  };
  const { groups } = await renderer.compute(job, { signal, onRows });
  checkRange(range, format, node);
  const encoded = await encoder.encode({ width, height, channels: 4, data }, format === "PNG" ? "png" : "jpg");
  return {
    mediaType: format === "PNG" ? "image/png" : "image/jpeg",
    content: { bytes: new Uint8Array(encoded) },
    filename: format === "PNG" ? "result.png" : "result.jpg",
    ...scenesOf(groups),
  };
}

interface Range {
  min: number;
  max: number;
}

function widen(range: Range, values: Float32Array): void {
  for (const value of values) {
    if (value < range.min) range.min = value;
    if (value > range.max) range.max = value;
  }
}

/** @throws {OpenEoError} `FormatUnsuitable` for values of another range, reflectance for instance. */
function checkRange({ min, max }: Range, format: "PNG" | "JPEG", node: string): void {
  const isBlack = byteOf(max) <= 1 && min < max;
  // without any value there is nothing to see anyway
  if (!isBlack && !(min > 255 && min <= max)) return;
  const text = (value: number): string => String(Number(value.toPrecision(4)));
  const message = `${format} holds values from 0 to 255, those of the cube are from ${text(min)} to ${text(max)}: the image would be ${isBlack ? "black" : "white"}. Use linear_scale_range in an apply first.`;
  throw new OpenEoError("FormatUnsuitable", message, { path: [node] });
}

/** Grey of one band, colours of three; a pixel without one of them is transparent. */
function fillPixels(pixels: Uint8Array, bands: readonly Float32Array[]): void {
  const [red = new Float32Array(0), green = red, blue = red] = bands;
  for (let i = 0; i < red.length; i++) {
    const [r, g, b] = [red[i]!, green[i]!, blue[i]!];
    if (Number.isNaN(r + g + b)) continue;
    const at = 4 * i;
    pixels[at] = byteOf(r);
    pixels[at + 1] = byteOf(g);
    pixels[at + 2] = byteOf(b);
    pixels[at + 3] = 255;
  }
}

const byteOf = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
