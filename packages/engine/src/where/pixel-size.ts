import { ProblemError } from "@swath/problem";
import type { Bounds, Crs } from "@swath/raster";

/** A resolution within a millionth of a side is that side. */
const SAME_SIDE = 1 + 1e-6;

/** What coordinates of the CRSs that requests can name are in. */
export const unitOf = ({ geographic }: Crs): "degrees" | "metres" => (geographic ? "degrees" : "metres");

/** The pixel size of a request. */
export interface AskedPixel {
  /** Width and height in units of the CRS. */
  readonly size: readonly [width: number, height: number];
  /** Where they are in the body: one pointer where both are one member. */
  readonly pointers: readonly [width: string, height: string];
}

/**
 * Refuses pixels that are larger than the area.
 *
 * @throws {ProblemError} as `pixelFault` has it.
 */
export function checkPixelSize(asked: AskedPixel, bounds: Bounds, crs: Crs): void {
  const fault = pixelFault(asked, bounds, crs);
  if (fault !== undefined) throw fault;
}

/**
 * What is wrong with pixels that are larger than the area, nearly always metres where degrees are meant: `pixel-too-large`,
 * which names the unit; `undefined` for those that are not.
 *
 * @param crs of `bounds` and of the size
 */
export function pixelFault(
  { size, pointers }: AskedPixel,
  [minX, minY, maxX, maxY]: Bounds,
  crs: Crs,
): ProblemError | undefined {
  const [maxPixelWidth, maxPixelHeight] = [maxX - minX, maxY - minY];
  const [requestedPixelWidth, requestedPixelHeight] = size;
  const unit = unitOf(crs);
  const errors = [
    ...faultOf(requestedPixelWidth, maxPixelWidth, `${unit}, the width of the area`, pointers[0]),
    ...faultOf(requestedPixelHeight, maxPixelHeight, `${unit}, the height of the area`, pointers[1]),
  ];
  if (errors.length === 0) return undefined;
  const names = pointers[0] === pointers[1] ? "the resolution is" : "resx and resy are";
  const detail = `${errors.map((error) => `${error.pointer}: ${error.detail}`).join(" ")} In ${crs.name} ${names} in ${unit}.`;
  const limits = { maxPixelWidth, maxPixelHeight, requestedPixelWidth, requestedPixelHeight };
  return new ProblemError("pixel-too-large", detail, { limits, errors });
}

function faultOf(asked: number, most: number, what: string, pointer: string): { pointer: string; detail: string }[] {
  if (asked <= most * SAME_SIDE) return [];
  return [{ pointer, detail: `Expected at most ${Number(most.toPrecision(6))} ${what}, got ${asked}.` }];
}
