import { type Raster, type Samples, sampleTypeOf } from "@swath/raster";
import { EncodeError } from "../errors.ts";
import { memorySink } from "./file/spool.ts";
import type { GeoTiffOptions } from "./options.ts";
import { createGeoTiffWriter } from "./row-writer.ts";

/**
 * A raster as a Cloud-Optimized GeoTIFF, in memory: tiled, with overviews, in the layout of GDAL's COG driver. The sample
 * type is that of the bands, which must agree.
 *
 * @throws {EncodeError} `invalid-option`, `invalid-raster` or `unsupported-crs`.
 * @example const bytes = await encodeGeoTiff(raster, { nodata: 0, bands: [{ name: "B04", scale: 1e-4, offset: -0.1 }] });
 */
export async function encodeGeoTiff(
  raster: Raster,
  options: GeoTiffOptions & { readonly signal?: AbortSignal } = {},
): Promise<Uint8Array> {
  const first = raster.bands[0];
  if (first === undefined) throw new EncodeError("invalid-raster", "Expected at least one band, got none.");
  const pixels = raster.grid.width * raster.grid.height;
  if (raster.valid.length !== pixels) {
    throw new EncodeError("invalid-raster", `Expected ${pixels} flags in valid, got ${raster.valid.length}.`);
  }
  const sink = memorySink();
  const shape = { grid: raster.grid, sampleType: sampleTypeOf(first as Samples), bandCount: raster.bands.length };
  const writer = await createGeoTiffWriter(shape, sink, options);
  try {
    await writer.write(raster);
    await writer.finish();
  } finally {
    await writer.abort();
  }
  return sink.bytes();
}
