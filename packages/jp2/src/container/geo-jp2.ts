import { CogError, memorySource, openCog } from "@swath/cog";
import type { Georeference } from "./georeference.ts";

/** CRS and transform of the GeoTIFF of one pixel that a GeoJP2 box holds; contents that are no GeoTIFF give neither. */
export async function georeferenceOfGeoTiff(tiff: Uint8Array): Promise<Georeference> {
  try {
    const { grid, georeferenceProblem } = await openCog(memorySource(tiff, "its GeoJP2 box"));
    const { crs, transform } = grid;
    return georeferenceProblem === undefined ? { crs, transform } : { problem: georeferenceProblem };
  } catch (error) {
    if (error instanceof CogError && error.lasting) return {};
    throw error;
  }
}
