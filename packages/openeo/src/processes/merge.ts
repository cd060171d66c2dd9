import { type Cube, checkedCells, cubeOf, type Dimension, type Label } from "../cube/cube.ts";
import { commonGrid } from "../cube/grid-request.ts";
import { OpenEoError } from "../errors.ts";
import type { Expression } from "../expression/expression.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import { fromExpression, type Value } from "../interpreter/values.ts";
import { labelTime } from "./times.ts";

/**
 * Two cubes of the same grid as one. One dimension may have different labels; a cube that lacks dimensions of the other is
 * merged with each of its labels. Where both have values, the resolver decides.
 */
export function mergeCubes(given: Arguments, compilation: Compilation): Value {
  const [first, second] = [given.cube("cube1"), given.cube("cube2")];
  const { expressions } = compilation;
  if ((first.grid === undefined) !== (second.grid === undefined)) {
    throw new OpenEoError("IncompatibleDataCubes", "One cube has dimensions of space, the other has none.");
  }
  const grid = first.grid === undefined || second.grid === undefined ? undefined : commonGrid(first.grid, second.grid);
  const [wide, narrow] = first.dimensions.length >= second.dimensions.length ? [first, second] : [second, first];
  const missing = narrow.dimensions.find(({ name }) => wide.dimensions.every((other) => other.name !== name));
  if (missing !== undefined)
    throw incompatible(`both have a dimension that the other lacks, such as "${missing.name}"`);
  const dimensions = wide.dimensions.map((dimension) => {
    const other = narrow.dimensions.find(({ name }) => name === dimension.name);
    return other === undefined ? dimension : united(dimension, other);
  });
  const differing = dimensions.filter(({ labels, name }) =>
    [first, second].some((cube) => cube.dimensions.some((each) => each.name === name && !isSame(each.labels, labels))),
  );
  if (differing.length > 1) {
    throw incompatible(`more than one dimension has different labels: ${differing.map(({ name }) => name).join(", ")}`);
  }
  checkedCells(dimensions.reduce((product, { labels }) => product * labels.length, 1));
  const resolver = given.optionalCallback("overlap_resolver");
  const context = given.value("context");
  const [ofFirst, ofSecond] = [cellFinder(first), cellFinder(second)];
  const cells = combinations(dimensions).map((labels): Expression => {
    const [a, b] = [ofFirst(labels), ofSecond(labels)];
    if (a === undefined || b === undefined) return a ?? b ?? expressions.nothing;
    if (resolver !== undefined) {
      const result = compilation.call(resolver, { x: fromExpression(a), y: fromExpression(b), context });
      return given.scalar("overlap_resolver", result);
    }
    throw new OpenEoError(
      "OverlapResolverMissing",
      "The cubes have values for the same labels, and there is no overlap_resolver.",
    );
  });
  return cubeOf(dimensions, cells, { bands: new Map([...second.bands, ...first.bands]), grid });
}

const incompatible = (why: string): OpenEoError =>
  new OpenEoError("IncompatibleDataCubes", `The cubes cannot be merged: ${why}.`);

const isSame = (a: readonly Label[], b: readonly Label[]): boolean =>
  a.length === b.length && a.every((label, i) => label === b[i]);

/** A dimension with the labels of both; times ascend. */
function united(a: Dimension, b: Dimension): Dimension {
  if (a.type !== b.type)
    throw incompatible(`"${a.name}" is of type ${a.type} in one and of type ${b.type} in the other`);
  const labels = [...new Set([...a.labels, ...b.labels])];
  const isOpen = a.isOpen === true || b.isOpen === true ? { isOpen: true as const } : {};
  if (a.type !== "temporal" || labels.some((label) => Number.isNaN(labelTime(label))))
    return { ...a, labels, ...isOpen };
  return { ...a, labels: labels.sort((x, y) => labelTime(x) - labelTime(y)), ...isOpen };
}

type Labels = ReadonlyMap<string, Label>;

/** All combinations of labels, row-major. */
function combinations(dimensions: readonly Dimension[]): readonly Labels[] {
  return dimensions.reduce<readonly Labels[]>(
    (all, { name, labels }) => all.flatMap((each) => labels.map((label) => new Map([...each, [name, label] as const]))),
    [new Map()],
  );
}

/** Finds a cell by its labels, by those of its own dimensions. */
function cellFinder({ dimensions, cells }: Cube): (labels: Labels) => Expression | undefined {
  const positions = dimensions.map(({ labels }) => new Map(labels.map((label, i) => [label, i] as const)));
  return (labels) => {
    let at = 0;
    for (const [i, dimension] of dimensions.entries()) {
      const label = labels.get(dimension.name);
      const position = label === undefined ? undefined : positions[i]!.get(label);
      if (position === undefined) return undefined;
      at = at * dimension.labels.length + position;
    }
    return cells[at];
  };
}
