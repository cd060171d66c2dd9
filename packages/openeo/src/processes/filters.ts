import {
  type BandInfo,
  type Cube,
  cubeOf,
  dimensionIndex,
  labelIndexes,
  onlyDimension,
  selectLabels,
  withDimension,
} from "../cube/cube.ts";
import { boundOf, type SpatialExtent, withSpatialExtent } from "../cube/grid-request.ts";
import { isLoaded, type LoadedCollection, TIME } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import { closest } from "../interpreter/closest.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import { toJson, type Value } from "../interpreter/values.ts";
import { findBands } from "./load.ts";
import { boxOf, regionOf } from "./space/geometries.ts";
import { intervalOf, labelTime } from "./time/times.ts";

export function filterTemporal(given: Arguments, compilation: Compilation): Value {
  const data = given.cubeOrLoad("data");
  const [start, end] = intervalOf(given, "extent", given.json("extent"));
  const name = given.optionalText("dimension");
  if (isLoaded(data)) {
    if (name !== undefined && name !== TIME) dimensionIndex(compilation.cube(data), name);
    const [from, to] = data.request.time;
    const time = [latest(from, start), earliest(to, end)] as const;
    if (time[0] !== null && time[1] !== null && time[1] <= time[0]) {
      throw new OpenEoError("TemporalExtentEmpty", "The extent lies outside the time of the cube.");
    }
    return { ...data, request: { ...data.request, time } };
  }
  const indexes = name === undefined ? temporalDimensions(data) : [dimensionIndex(data, name)];
  return indexes.reduce((cube, index) => withinTime(cube, index, [start, end], given), data);
}

/** Without a name all temporal dimensions are filtered. */
function temporalDimensions({ dimensions }: Cube): readonly number[] {
  const found = dimensions.flatMap(({ type }, i) => (type === "temporal" ? [i] : []));
  if (found.length > 0) return found;
  throw new OpenEoError("DimensionNotAvailable", "The cube has no temporal dimension.");
}

function withinTime(
  data: Cube,
  index: number,
  [start, end]: readonly [number | null, number | null],
  given: Arguments,
): Cube {
  const dimension = data.dimensions[index]!;
  if (dimension.type !== "temporal") throw given.invalid("dimension", "the name of a temporal dimension");
  // which labels stay is not known: the dimension is another one
  if (dimension.isOpen) {
    return { ...data, dimensions: withDimension(data.dimensions, index, { ...dimension }) };
  }
  const kept = dimension.labels.flatMap((label, i) => {
    const time = labelTime(dimension, label);
    if (Number.isNaN(time)) throw given.invalid("data", "a cube whose labels are times", String(label));
    return (start === null || time >= start) && (end === null || time < end) ? [i] : [];
  });
  return selectLabels(data, index, kept);
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

export function filterBands(given: Arguments): Value {
  const data = given.cubeOrLoad("data");
  const names = given.has("bands") ? given.labels("bands") : [];
  const ranges = given.has("wavelengths") ? wavelengthsOf(given) : [];
  if (names.length + ranges.length === 0) {
    throw new OpenEoError("BandFilterParameterMissing", "Expected bands or wavelengths, got neither.");
  }
  if (isLoaded(data)) {
    const { bands } = data.request;
    const named = findBands(bands, names.map(String), (name) =>
      noBand(
        name,
        bands.map((band) => band.name),
      ),
    );
    const found = ranges.flatMap((range) => bands.filter((band) => isWithin(band, range)));
    return { ...data, request: { ...data.request, bands: kept([...named, ...found], ranges) } };
  }
  const index = onlyDimension(data, "bands", "DimensionMissing");
  const { labels } = data.dimensions[index]!;
  const named = names.flatMap((name) => {
    const positions = labelIndexes(data, index, name);
    if (positions.length === 0) throw noBand(String(name), labels.map(String));
    return positions;
  });
  const found = ranges.flatMap((range) =>
    labels.flatMap((label, i) => (isWithin(data.bands.get(label), range) ? [i] : [])),
  );
  return selectLabels(data, index, kept([...named, ...found], ranges));
}

type Wavelengths = readonly [min: number, max: number];

/** Ranges in micrometres, both ends included. */
function wavelengthsOf(given: Arguments): readonly Wavelengths[] {
  const expected = "an array of pairs: least and greatest wavelength, micrometres";
  return given.array("wavelengths").items.map((item): Wavelengths => {
    const pair = toJson(item);
    const [min, max] = Array.isArray(pair) && pair.length === 2 ? (pair as readonly unknown[]) : [];
    if (typeof min === "number" && typeof max === "number" && min <= max) return [min, max];
    throw given.invalid("wavelengths", expected, item);
  });
}

const isWithin = (band: BandInfo | undefined, [min, max]: Wavelengths): boolean =>
  band?.wavelength !== undefined && band.wavelength >= min && band.wavelength <= max;

/**
 * Returns each of the found bands once.
 *
 * @throws {OpenEoError} `LabelNotAvailable` where nothing was found
 */
function kept<T>(found: readonly T[], ranges: readonly Wavelengths[]): readonly T[] {
  if (found.length > 0) return [...new Set(found)];
  const text = ranges.map(([min, max]) => `${min} to ${max}`).join(", ");
  throw new OpenEoError("LabelNotAvailable", `The cube has no band whose centre is at ${text} micrometres.`);
}

function noBand(name: string, known: readonly string[]): OpenEoError {
  const message = `The cube has no band "${name}"; it has ${known.join(", ")}.${closest(name, known)}`;
  return new OpenEoError("LabelNotAvailable", message);
}

export function filterBbox(given: Arguments, compilation: Compilation): Value {
  return restrict(given.cubeOrLoad("data"), boxOf(given, "extent"), given, compilation);
}

export function filterSpatial(given: Arguments, compilation: Compilation): Value {
  return restrict(given.cubeOrLoad("data"), regionOf(given, "geometries", compilation), given, compilation);
}

/** The cube with no data outside of an extent, whose box is the new bounds. */
function restrict(
  data: Cube | LoadedCollection,
  extent: SpatialExtent,
  given: Arguments,
  compilation: Compilation,
): Value {
  if (isLoaded(data)) {
    const { request } = data;
    return { ...data, request: { ...request, extents: withSpatialExtent(request.extents, extent) } };
  }
  const { grid } = given.rasterCube("data");
  if (boundOf(grid) === undefined) compilation.loads.need(grid.loads, [extent]);
  const { expressions } = compilation;
  const inside = expressions.region(compilation.extents.region(extent));
  const cells = data.cells.map((cell) => expressions.operation("if", inside, cell, expressions.nothing));
  return cubeOf(data.dimensions, cells, {
    bands: data.bands,
    grid: { ...grid, extents: withSpatialExtent(grid.extents, extent) },
  });
}
