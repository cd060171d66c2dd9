import type { CrsRefusal } from "./crs/epsg-table.ts";

/**
 * A coordinate reference system that cannot be had or used.
 * `unknown-crs`: the name is not known; `invalid-crs`: proj4 refuses the definition;
 * `outside-crs`: the requested bounds have no coordinates in the CRS.
 */
export class CrsError extends Error {
  override readonly name = "CrsError";
  readonly code: "unknown-crs" | "invalid-crs" | "outside-crs";
  /** The reason why an EPSG code is not used, where the table of all codes is loaded (`loadCrs`). */
  readonly refusal: CrsRefusal | undefined;

  constructor(
    code: CrsError["code"],
    message: string,
    options?: { readonly cause?: unknown; readonly refusal?: CrsRefusal },
  ) {
    super(message, options);
    this.code = code;
    this.refusal = options?.refusal;
  }
}

/**
 * A grid, window or raster that cannot be used.
 * `degenerate-transform`: pixels without area, so that no inverse exists; `invalid-size`: a size, window or
 * array length that is not what the grid says; `different-crs`: two grids that have to have one CRS.
 */
export class GridError extends Error {
  override readonly name = "GridError";
  readonly code: "degenerate-transform" | "invalid-size" | "different-crs";

  constructor(code: GridError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A tile that its tile matrix set does not have. */
export class TileError extends Error {
  override readonly name = "TileError";
  readonly code = "no-such-tile";
}

/**
 * Band math that does not parse or names a band that is not there.
 * `position` is the index into the text, in UTF-16 units, at which reading stopped.
 */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly code: "invalid-expression" | "unknown-band" | "expression-too-large";
  readonly position: number;

  constructor(code: ExpressionError["code"], position: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.position = position;
  }
}

/** `unknown-colormap`: no such name; `invalid-style`: rescale or colormap do not fit the bands. */
export class StyleError extends Error {
  override readonly name = "StyleError";
  readonly code: "unknown-colormap" | "invalid-style";

  constructor(code: StyleError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
