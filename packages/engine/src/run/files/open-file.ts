import { openCog, type RasterFile, type Source } from "@swath/cog";
import { nodeCodecs } from "@swath/cog/node";
import { CrsError, loadCrs } from "@swath/raster";
import type { FileAddress } from "../scene/scene-read.ts";

/**
 * Opens a file with the reader of its format. That of JPEG 2000 is loaded with the first such file.
 *
 * @throws {CogError}
 */
export async function openFile(source: Source, { jp2 }: FileAddress, signal: AbortSignal): Promise<RasterFile> {
  if (jp2 === undefined) return openCog(source, { codecs: nodeCodecs, signal });
  const { openJp2 } = await import("@swath/jp2");
  const { placement } = jp2;
  const crs = placement === undefined ? undefined : await crsOf(placement.crs);
  return openJp2(source, {
    signal,
    ...(placement === undefined || crs === undefined ? {} : { placement: { crs, transform: placement.transform } }),
  });
}

/** A CRS that is not known says nothing of the place: the file has to. */
async function crsOf(name: string) {
  try {
    return await loadCrs(name);
  } catch (error) {
    if (error instanceof CrsError) return undefined;
    throw error;
  }
}
