import { type Cube, checkedCells, cubeOf, type Dimension, type Label } from "../cube/cube.ts";
import type { GridRequest, SpatialExtent } from "../cube/grid-request.ts";
import { OpenEoError } from "../errors.ts";
import type { Expression } from "../expression/expression.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import { onGrid } from "../interpreter/on-grid.ts";
import { fromExpression, type Value } from "../interpreter/values.ts";
import { WORK } from "../work.ts";
import { labelsAt } from "./space/masks.ts";
import { labelTime } from "./time/times.ts";

/**
 * Two cubes of the same extent as one, on the pixels of the first: as `resample_cube_spatial` does by default. One dimension may have different labels; a cube that lacks dimensions of the other is
 * merged with each of its labels. Where both have values, the resolver decides.
 */
export function mergeCubes(given: Arguments, compilation: Compilation): Value {
  const [first, second] = [given.cube("cube1"), given.cube("cube2")];
  const { expressions } = compilation;
  if ((first.grid === undefined) !== (second.grid === undefined)) {
    throw new OpenEoError("IncompatibleDataCubes", "One cube has dimensions of space, the other has none.");
  }
  const grid = commonGrid(first, second, compilation);
  const [wide, narrow] = first.dimensions.length >= second.dimensions.length ? [first, second] : [second, first];
  const missing = narrow.dimensions.find(({ name }) => wide.dimensions.every((other) => other.name !== name));
  if (missing !== undefined)
    throw incompatible(`both have a dimension that the other lacks, such as "${missing.name}"`);
  const dimensions = wide.dimensions.map((dimension) => {
    const other = narrow.dimensions.find(({ name }) => name === dimension.name);
    if (other === undefined) return dimension;
    return wide === first ? united(dimension, other) : united(other, dimension);
  });
  // labels that are not known yet may be the same in both cubes, or all different ones
  const isUncertain = dimensions.some((dimension) => dimension.isOpen && !isIn(dimension, first, second));
  const differing = dimensions.filter(
    ({ labels, name, isOpen }) =>
      !isOpen &&
      [first, second].some((cube) =>
        cube.dimensions.some((each) => each.name === name && !isSame(each.labels, labels)),
      ),
  );
  if (differing.length > 1) {
    throw incompatible(`more than one dimension has different labels: ${differing.map(({ name }) => name).join(", ")}`);
  }
  const count = checkedCells(dimensions.reduce((product, { labels }) => product * labels.length, 1));
  compilation.spend(WORK.cell * count * (1 + 2 * dimensions.length));
  const resolver = given.optionalCallback("overlap_resolver");
  const context = given.value("context");
  const aligned = { ...second, cells: onGrid(second, first.grid?.asked, "near", compilation) };
  const [ofFirst, ofSecond] = [cellFinder(first, dimensions), cellFinder(aligned, dimensions)];
  const cells = Array.from({ length: count }, (_, i): Expression => {
    const labels = labelsAt(dimensions, i);
    const [a, b] = [ofFirst(labels), ofSecond(labels)];
    if (a === undefined || b === undefined) return a ?? b ?? expressions.nothing;
    if (resolver !== undefined) {
      const result = compilation.call(resolver, { x: fromExpression(a), y: fromExpression(b), context });
      return given.scalar("overlap_resolver", result);
    }
    if (isUncertain) return a;
    throw new OpenEoError(
      "OverlapResolverMissing",
      "The cubes have values for the same labels, and there is no overlap_resolver.",
    );
  });
  return cubeOf(dimensions, cells, { bands: new Map([...second.bands, ...first.bands]), grid });
}

/** The pixels of the first cube. */
function commonGrid(first: Cube, second: Cube, { extents }: Compilation): GridRequest | undefined {
  if (first.grid === undefined || second.grid === undefined) return undefined;
  const [a, b] = [first.grid, second.grid];
  const [bounds, others] = [boundsOf(a), boundsOf(b)];
  const isSameExtent = bounds.length === others.length && bounds.every((each, i) => extents.isSame(each, others[i]));
  if (!isSameExtent) throw incompatible("they have different extents: filter both to one box");
  return { ...a, loads: new Set([...a.loads, ...b.loads]) };
}

const boundsOf = ({ extents, asked }: GridRequest): readonly (SpatialExtent | undefined)[] =>
  extents.length > 0 ? extents : [asked?.extent];

const incompatible = (why: string): OpenEoError =>
  new OpenEoError("IncompatibleDataCubes", `The cubes cannot be merged: ${why}.`);

const isSame = (a: readonly Label[], b: readonly Label[]): boolean =>
  a.length === b.length && a.every((label, i) => label === b[i]);

/** Whether each of the cubes that has a dimension of that name has this very one. */
const isIn = (dimension: Dimension, ...cubes: readonly Cube[]): boolean =>
  cubes.every(({ dimensions }) => dimensions.every((each) => each.name !== dimension.name || each === dimension));

/** A dimension with the labels of both; times ascend. */
function united(a: Dimension, b: Dimension): Dimension {
  if (a === b) return a;
  if (a.type !== b.type)
    throw incompatible(`"${a.name}" is of type ${a.type} in one and of type ${b.type} in the other`);
  const labels = [...new Set([...a.labels, ...b.labels])];
  const starts = new Map([...(b.starts ?? []), ...(a.starts ?? [])]);
  const { isOpen: _, ...rest } = a;
  const both = {
    ...rest,
    ...(a.isOpen === true || b.isOpen === true ? { isOpen: true as const } : {}),
    ...(starts.size === 0 ? {} : { starts }),
  };
  const time = (label: Label): number => labelTime(both, label);
  if (a.type !== "temporal" || labels.some((label) => Number.isNaN(time(label)))) return { ...both, labels };
  return { ...both, labels: labels.sort((x, y) => time(x) - time(y)) };
}

/** Finds a cell of a cube by positions of labels in the dimensions of the merged one. */
function cellFinder(
  { dimensions, cells }: Cube,
  merged: readonly Dimension[],
): (labels: readonly number[]) => Expression | undefined {
  const own = dimensions.map(({ name, labels }) => {
    const index = merged.findIndex((dimension) => dimension.name === name);
    const known = new Map(labels.map((label, i) => [label, i] as const));
    return { index, count: labels.length, positions: merged[index]!.labels.map((label) => known.get(label) ?? -1) };
  });
  return (labels) => {
    let at = 0;
    for (const { index, count, positions } of own) {
      const position = positions[labels[index]!]!;
      if (position < 0) return undefined;
      at = at * count + position;
    }
    return cells[at];
  };
}
