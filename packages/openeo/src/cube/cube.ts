import { OpenEoError } from "../errors.ts";
import type { Expression } from "../expression/expression.ts";
import type { GridRequest } from "./grid-request.ts";

/** Name of a band, time of a step (RFC 3339) or number of a geometry. */
export type Label = string | number;

/** A dimension that is not of space: its labels, in order. */
export interface Dimension {
  readonly name: string;
  readonly type: "bands" | "temporal" | "geometry" | "other";
  readonly labels: readonly Label[];
  /** The labels are not known yet: one stands for all. */
  readonly isOpen?: true;
  /** Starts of the intervals that labels such as `2024-07` or `summer` name, milliseconds since 1970. */
  readonly starts?: ReadonlyMap<Label, number>;
}

/** Names by which a band's label may be given. */
export interface BandInfo {
  readonly name: string;
  readonly commonName?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  /** Native ground sample distance, metres. */
  readonly gsd: number;
  /** Centre wavelength, micrometres. */
  readonly wavelength?: number | undefined;
}

/**
 * A data cube: an expression for each combination of labels; in a cube with a grid it has a value for each pixel. Cells
 * are row-major in the order of the dimensions.
 */
export interface Cube {
  readonly kind: "cube";
  readonly dimensions: readonly Dimension[];
  readonly cells: readonly Expression[];
  /** Absent: a cube without dimensions of space. */
  readonly grid?: GridRequest;
  /** Facts about bands, by label. */
  readonly bands: ReadonlyMap<Label, BandInfo>;
}

/** Cells of one cube. */
const MAX_CELLS = 100_000;

export const isCube = (value: unknown): value is Cube => (value as Partial<Cube> | null)?.kind === "cube";

/** @throws {OpenEoError} `DimensionNotAvailable`. */
export function dimensionIndex({ dimensions }: Pick<Cube, "dimensions">, name: string): number {
  const index = dimensions.findIndex((dimension) => dimension.name === name);
  if (index >= 0) return index;
  const known = dimensions.map((dimension) => `"${dimension.name}"`).join(", ") || "none but x and y";
  throw new OpenEoError("DimensionNotAvailable", `The cube has no dimension "${name}" to use here; it has ${known}.`);
}

/**
 * The only dimension of a type.
 *
 * @param fault of bands, where there is no such dimension or there are several
 * @throws {OpenEoError} for times `DimensionNotAvailable` where there is none, `TooManyDimensions` for several.
 */
export function onlyDimension(
  { dimensions }: Pick<Cube, "dimensions">,
  type: "bands" | "temporal",
  fault: "DimensionAmbiguous" | "DimensionMissing" = "DimensionAmbiguous",
): number {
  const found = dimensions.flatMap((dimension, i) => (dimension.type === type ? [i] : []));
  const [index] = found;
  if (index !== undefined && found.length === 1) return index;
  if (type === "bands") {
    const message = `Expected a cube with one dimension of type bands, got one with ${found.length}.`;
    throw new OpenEoError(fault, message);
  }
  if (index === undefined) throw new OpenEoError("DimensionNotAvailable", "The cube has no temporal dimension.");
  throw new OpenEoError("TooManyDimensions", "The cube has several temporal dimensions: name one in dimension.");
}

/** The position of a label; bands are found by their common name and other names too. */
export function labelIndex(cube: Cube, dimension: number, label: Label): number {
  return labelIndexes(cube, dimension, label)[0] ?? -1;
}

/** Positions of all that a label may mean: the one of that name, else all bands of that common name, else of another name. */
export function labelIndexes({ dimensions, bands }: Cube, dimension: number, label: Label): readonly number[] {
  const { labels, type } = dimensions[dimension]!;
  const exact = labels.indexOf(label);
  if (exact >= 0) return [exact];
  if (type !== "bands") return [];
  const infos = labels.map((each) => bands.get(each));
  const common = infos.flatMap((info, i) => (info?.commonName === label ? [i] : []));
  if (common.length > 0) return common;
  const other = infos.findIndex((info) => info?.aliases?.includes(String(label)) === true);
  return other < 0 ? [] : [other];
}

/** Number of cells that lie between neighbours along a dimension. */
function strideOf(dimensions: readonly Dimension[], dimension: number): number {
  return dimensions.slice(dimension + 1).reduce((product, { labels }) => product * labels.length, 1);
}

/** The cells along a dimension, one array for each combination of the other labels, in their order. */
export function linesAlong({ dimensions, cells }: Cube, dimension: number): readonly (readonly Expression[])[] {
  const stride = strideOf(dimensions, dimension);
  const count = dimensions[dimension]!.labels.length;
  const outer = strideOf(dimensions, -1) / (stride * Math.max(1, count));
  if (count === 0) return [];
  return Array.from({ length: outer * stride }, (_, line) => {
    const start = Math.floor(line / stride) * stride * count + (line % stride);
    return Array.from({ length: count }, (__, i) => cells[start + i * stride]!);
  });
}

/** A cube from its cells along a dimension, which `linesAlong` gives again. */
export function fromLines(
  cube: Pick<Cube, "dimensions" | "bands"> & { readonly grid?: GridRequest | undefined },
  dimension: number,
  lines: readonly (readonly Expression[])[],
): Cube {
  const stride = strideOf(cube.dimensions, dimension);
  const count = cube.dimensions[dimension]!.labels.length;
  const cells: Expression[] = new Array(checkedCells(lines.length * count));
  lines.forEach((line, i) => {
    const start = Math.floor(i / stride) * stride * count + (i % stride);
    line.forEach((cell, k) => {
      cells[start + k * stride] = cell;
    });
  });
  return cubeOf(cube.dimensions, cells, cube);
}

export function cubeOf(
  dimensions: readonly Dimension[],
  cells: readonly Expression[],
  { grid, bands }: { readonly grid?: GridRequest | undefined; readonly bands: ReadonlyMap<Label, BandInfo> },
): Cube {
  checkedCells(cells.length);
  return { kind: "cube", dimensions, cells, bands, ...(grid === undefined ? {} : { grid }) };
}

/** @throws {OpenEoError} `ProcessGraphComplexity` for more cells than a cube may have. */
export function checkedCells(count: number): number {
  if (count <= MAX_CELLS) return count;
  const message = `A cube would have ${count.toLocaleString("en-US")} combinations of labels (at most ${MAX_CELLS.toLocaleString("en-US")}): ask for less time, or fewer bands.`;
  throw new OpenEoError("ProcessGraphComplexity", message);
}

export function withDimension(dimensions: readonly Dimension[], index: number, changed: Dimension): Dimension[] {
  return dimensions.map((dimension, i) => (i === index ? changed : dimension));
}

/** The cube with some labels of a dimension alone, in the order of `kept`. */
export function selectLabels(cube: Cube, dimension: number, kept: readonly number[]): Cube {
  const { labels, ...rest } = cube.dimensions[dimension]!;
  const lines = linesAlong(cube, dimension).map((line) => kept.map((i) => line[i]!));
  const dimensions = withDimension(cube.dimensions, dimension, { ...rest, labels: kept.map((i) => labels[i]!) });
  return fromLines({ ...cube, dimensions }, dimension, lines);
}
