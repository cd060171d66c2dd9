import {
  type Cube,
  cubeOf,
  type Dimension,
  dimensionIndex,
  fromLines,
  labelIndex,
  linesAlong,
  onlyDimension,
  withDimension,
} from "../cube/cube.ts";
import { OpenEoError } from "../errors.ts";
import type { Expression } from "../expression/expression.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import { type ArrayValue, fromExpression, type Value } from "../interpreter/values.ts";
import { differenceOver } from "./math.ts";

/** The array that callbacks get of the cells along a dimension. */
function labeledArray(cube: Cube, dimension: number, line: readonly Expression[]): ArrayValue {
  const { labels, isOpen } = cube.dimensions[dimension]!;
  return {
    kind: "array",
    items: line.map(fromExpression),
    labels,
    isOpen: isOpen === true,
    indexOf: (label) => labelIndex(cube, dimension, label),
  };
}

export function apply(given: Arguments, compilation: Compilation): Value {
  const data = given.cube("data");
  const process = given.callback("process");
  const context = given.value("context");
  const cells = data.cells.map((cell) =>
    given.scalar("process", compilation.call(process, { x: fromExpression(cell), context })),
  );
  return cubeOf(data.dimensions, cells, data);
}

export function reduceDimension(given: Arguments, compilation: Compilation): Value {
  const data = given.cube("data");
  const reducer = given.callback("reducer");
  const context = given.value("context");
  const dimension = dimensionIndex(data, given.text("dimension"));
  checkNotSpatial(data.dimensions[dimension]!, given);
  const cells = linesAlong(data, dimension).map((line) =>
    given.scalar("reducer", compilation.call(reducer, { data: labeledArray(data, dimension, line), context })),
  );
  return withoutDimension(data, dimension, cells);
}

/** Returns the cube without a dimension, with one cell per combination of the other labels. */
export function withoutDimension(data: Cube, dimension: number, cells: readonly Expression[]): Cube {
  const dimensions = data.dimensions.filter((_, i) => i !== dimension);
  // a dimension without labels leaves no cells at all
  return cubeOf(dimensions, cells, data);
}

function checkNotSpatial({ type }: Dimension, given: Arguments): void {
  if (type === "geometry") throw given.invalid("dimension", "a dimension that is not of geometries");
}

export function applyDimension(given: Arguments, compilation: Compilation): Value {
  const data = given.cube("data");
  const process = given.callback("process");
  const context = given.value("context");
  const source = dimensionIndex(data, given.text("dimension"));
  checkNotSpatial(data.dimensions[source]!, given);
  const lines = linesAlong(data, source).map((line) => {
    const result = compilation.call(process, { data: labeledArray(data, source, line), context });
    const items = typeof result === "object" && result?.kind === "array" ? result.items : [result];
    return items.map((item) => given.scalar("process", item));
  });
  const count = lines[0]?.length ?? 0;
  if (count === 0) throw given.invalid("process", "a process graph that gives at least one number");
  const own = data.dimensions[source]!;
  const target = given.optionalText("target_dimension") ?? own.name;
  const numbered = Array.from({ length: count }, (_, i) => i);
  const isSame = target === own.name;
  const labels = isSame && own.labels.length === count ? own.labels : numbered;
  // a process that gives three values keeps the labels where there are three time steps
  const isOpen = isSame && own.isOpen === true ? { isOpen: true as const } : {};
  const kept: Dimension =
    isSame && labels === own.labels ? own : { name: target, type: isSame ? own.type : "other", labels };
  const replaced: Dimension = { ...kept, labels, ...isOpen };
  const existing = isSame ? -1 : data.dimensions.findIndex(({ name }) => name === target);
  const changed = fromLines({ ...data, dimensions: withDimension(data.dimensions, source, replaced) }, source, lines);
  if (existing < 0) return changed;
  const { labels: theirs, type } = data.dimensions[existing]!;
  if (theirs.length !== 1) throw given.invalid("target_dimension", "a dimension of one label, or a new one");
  const dimensions = withDimension(changed.dimensions, source, { ...replaced, type }).filter((_, i) => i !== existing);
  return cubeOf(dimensions, changed.cells, data);
}

export function ndvi(given: Arguments, { expressions }: Compilation): Value {
  const data = given.cube("data");
  const dimension = onlyDimension(data, "bands");
  const position = (name: "nir" | "red"): number => {
    const label = given.optionalText(name) ?? name;
    const found = labelIndex(data, dimension, label);
    // STAC calls the near infrared band nir08 for sensors that have only one
    const index = found < 0 && label === "nir" ? labelIndex(data, dimension, "nir08") : found;
    if (index >= 0) return index;
    const code = name === "nir" ? "NirBandAmbiguous" : "RedBandAmbiguous";
    const labels = data.dimensions[dimension]!.labels.join(", ");
    throw new OpenEoError(code, `The cube has no band "${label}"; it has ${labels}: name one in ${name}.`);
  };
  const [nir, red] = [position("nir"), position("red")];
  const lines = linesAlong(data, dimension);
  const values = lines.map((line) => differenceOver(line[nir]!, line[red]!, expressions));
  const target = given.optionalText("target_band");
  if (target === undefined) return withoutDimension(data, dimension, values);
  const own = data.dimensions[dimension]!;
  if (!/^\w+$/.test(target)) throw given.invalid("target_band", "a name of letters, digits and _");
  if (labelIndex(data, dimension, target) >= 0)
    throw new OpenEoError("BandExists", `There is a band "${target}" already.`);
  const dimensions = withDimension(data.dimensions, dimension, { ...own, labels: [...own.labels, target] });
  return fromLines(
    { ...data, dimensions },
    dimension,
    lines.map((line, i) => [...line, values[i]!]),
  );
}
