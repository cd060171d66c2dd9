import { GridError } from "../errors.ts";

/**
 * Pixel to CRS coordinates: `[a, b, c, d, e, f]` with x = a·col + b·row + c and y = d·col + e·row + f, in the order
 * of STAC `proj:transform` and of rasterio. Whole `col`, `row` are the upper left corners of pixels.
 */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** CRS coordinates of pixel coordinates. */
export function applyAffine(t: Affine, col: number, row: number): [x: number, y: number] {
  return [t[0] * col + t[1] * row + t[2], t[3] * col + t[4] * row + t[5]];
}

/**
 * CRS to pixel coordinates. Without rotation the two axes stay independent, as in GDAL's GDALInvGeoTransform.
 *
 * @throws {GridError} `degenerate-transform` where pixels have no area or a number is not finite.
 */
export function invertAffine(t: Affine): Affine {
  const [a, b, c, d, e, f] = t;
  const determinant = a * e - b * d;
  const size = Math.max(Math.abs(a), Math.abs(b)) * Math.max(Math.abs(d), Math.abs(e));
  // relative to the size of a pixel: a pixel of 1e-6 degrees is small, not degenerate
  if (!t.every(Number.isFinite) || !(Math.abs(determinant) > 1e-10 * size)) {
    throw new GridError(
      "degenerate-transform",
      `Expected a transform whose pixels have an area, got [${t.join(", ")}].`,
    );
  }
  if (b === 0 && d === 0) return [1 / a, 0, -c / a, 0, 1 / e, -f / e];
  const k = 1 / determinant;
  return [e * k, -b * k, (b * f - c * e) * k, -d * k, a * k, (c * d - a * f) * k];
}

/** The transform that applies `inner` first and `outer` to its result. */
export function composeAffine(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + b * j, a * h + b * k, a * i + b * l + c, d * g + e * j, d * h + e * k, d * i + e * l + f];
}

/** The same corner with pixels `sx` times as wide and `sy` times as high. */
export function scaleAffine(t: Affine, sx: number, sy: number): Affine {
  return [t[0] * sx, t[1] * sy, t[2], t[3] * sx, t[4] * sy, t[5]];
}
