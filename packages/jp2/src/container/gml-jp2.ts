import { CogError } from "@swath/cog";
import { type Affine, type Crs, CrsError, invertAffine, loadCrs } from "@swath/raster";
import type { Georeference } from "./georeference.ts";

/** Text of GML that is looked at: a grid stands near its beginning. */
const MAX_TEXT = 100_000;
const NUMBER = "[-+]?[\\d.]+(?:[eE][-+]?\\d+)?";
const POSITION = new RegExp(`<(?:\\w+:)?pos\\b[^<>]*>\\s*(${NUMBER})\\s+(${NUMBER})\\s*<`);
const VECTOR = new RegExp(`<(?:\\w+:)?offsetVector\\b[^<>]*>\\s*(${NUMBER})\\s+(${NUMBER})\\s*<`, "g");
const CODE =
  /srsName\s*=\s*["'](?:urn:(?:ogc|x-ogc):def:crs:EPSG:[^:"']{0,20}:|EPSG:|https?:\/\/[^"'<>]{0,200}[#/])(\d{4,6})["']/;

/**
 * CRS and transform of the rectified grid in a GMLJP2 document (OGC 05-047r3, clause 8): the place of the centre of its first pixel,
 * and the steps of a column and of a row. Where the axes of the CRS begin with the northern one, so do the numbers: the steps
 * of a grid that is not rotated say so.
 */
export async function georeferenceOfGml(text: string): Promise<Georeference> {
  const at = text.search(/<(?:\w+:)?RectifiedGrid\b/);
  if (at < 0) return {};
  const grid = text.slice(at, at + MAX_TEXT);
  const end = grid.search(/<\/(?:\w+:)?RectifiedGrid\s*>/);
  const own = end < 0 ? grid : grid.slice(0, end);
  const code = CODE.exec(own)?.[1] ?? CODE.exec(text.slice(0, MAX_TEXT))?.[1];
  const numbers = [...(POSITION.exec(own) ?? []).slice(1)].map(Number);
  const vectors = [...own.matchAll(VECTOR)].map((match) => match.slice(1, 3).map(Number));
  const transform = toTransform(numbers, vectors);
  if (transform === undefined || code === undefined) return { problem: "Its GMLJP2 box has no grid that is read." };
  const crs = await crsOf(code);
  return typeof crs === "string" ? { transform, problem: crs } : { transform, crs };
}

function toTransform(position: readonly number[], vectors: readonly (readonly number[])[]): Affine | undefined {
  const [x, y] = position;
  const [column, row] = vectors;
  if (x === undefined || y === undefined || column === undefined || row === undefined) return undefined;
  // columns of a grid that is not rotated go east: steps of a column in the second number alone mean that northern axes
  // come first
  const isFlipped = column[0] === 0 && row[1] === 0;
  const [east, north] = isFlipped ? [1, 0] : [0, 1];
  const [a, b, d, e] = [column[east]!, row[east]!, column[north]!, row[north]!];
  const [centreX, centreY] = isFlipped ? [y, x] : [x, y];
  const transform: Affine = [a, b, centreX - (a + b) / 2, d, e, centreY - (d + e) / 2];
  try {
    return invertAffine(transform).every(Number.isFinite) ? transform : undefined;
  } catch {
    return undefined;
  }
}

async function crsOf(code: string): Promise<Crs | string> {
  try {
    return await loadCrs(`EPSG:${code}`);
  } catch (error) {
    if (error instanceof CrsError) return error.message;
    throw new CogError("unavailable", "The definitions of EPSG codes could not be loaded.", { cause: error });
  }
}
