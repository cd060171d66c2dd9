import { gridBounds, resolveCrs } from "@swath/raster";
import type { WrittenFile } from "./extraction.ts";

/** A finished file as the job's record holds it: JSON, and without a link, which is made anew each time it is shown. */
export interface FileFacts {
  readonly result: string;
  readonly filename: string;
  readonly bytes: number;
  readonly bands: readonly string[];
  readonly dtype: string;
  /** value = scale × sample + offset, one per band; null where scenes of one mosaic differ (see the file's metadata). */
  readonly scales: readonly (number | null)[];
  readonly offsets: readonly (number | null)[];
  /** A number, or `nan` as in the raster extension of STAC; `null`: its mask says which pixels are data, without one all are. */
  readonly nodata: number | "nan" | null;
  readonly width: number;
  readonly height: number;
  readonly crs: string;
  /** West, south, east, north in units of the CRS. */
  readonly bounds: readonly number[];
  /** Column and row to coordinates: a, b, c, d, e, f. */
  readonly transform: readonly number[];
  readonly attribution: string;
}

/** A nodata value as JSON can hold it. */
function nodataFact(nodata: number | undefined): number | "nan" | null {
  if (nodata === undefined) return null;
  return Number.isNaN(nodata) ? "nan" : nodata;
}

/** Returns the facts of a file that was extracted. */
export function fileFacts({ job, filename, extraction, id }: WrittenFile): FileFacts {
  const { grid, sampleType, nodata } = job;
  return {
    result: id,
    filename,
    bytes: extraction.bytes,
    bands: extraction.bands.map(({ name }) => name),
    dtype: sampleType,
    scales: extraction.bands.map(({ scale }) => scale ?? null),
    offsets: extraction.bands.map(({ offset }) => offset ?? null),
    nodata: nodataFact(nodata),
    width: grid.width,
    height: grid.height,
    crs: grid.crs,
    bounds: gridBounds({ ...grid, crs: resolveCrs(grid.crs) }),
    transform: grid.transform,
    attribution: extraction.attribution,
  };
}
