import { cubeOf, type Dimension, dimensionIndex, type Label, withDimension } from "../cube/cube.ts";
import { OpenEoError } from "../errors.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import { DependsOnUnknown } from "../interpreter/faults.ts";
import type { Value } from "../interpreter/values.ts";
import { withoutDimension } from "./apply.ts";

export function renameLabels(given: Arguments): Value {
  const data = given.cube("data");
  const index = dimensionIndex(data, given.text("dimension"));
  const target = given.labels("target");
  const source = given.has("source") ? given.labels("source") : [];
  const own = data.dimensions[index]!;
  const labels = source.length === 0 ? allRenamed(own, target) : someRenamed(own, target, source);
  // a name that is there is taken, though its label were renamed too
  const taken = own.isOpen === true ? undefined : target.find((label) => own.labels.includes(label));
  if (taken !== undefined) {
    throw new OpenEoError("LabelExists", `The dimension has a label ${JSON.stringify(taken)} already.`);
  }
  if (new Set(labels.map(String)).size < labels.length) {
    throw new OpenEoError("LabelExists", "Two labels would be the same.");
  }
  const bands = new Map(data.bands);
  const starts = new Map<Label, number>();
  own.labels.forEach((label, i) => {
    const info = data.bands.get(label);
    if (info !== undefined && own.type === "bands") bands.set(labels[i]!, info);
    const start = own.starts?.get(label);
    if (start !== undefined && labels[i] === label) starts.set(label, start);
  });
  const renamed: Dimension = { ...own, labels, ...(own.starts === undefined ? {} : { starts }) };
  return cubeOf(withDimension(data.dimensions, index, renamed), data.cells, { ...data, bands });
}

function allRenamed({ name, labels, isOpen }: Dimension, target: readonly Label[]): readonly Label[] {
  if (isOpen) return labels;
  if (labels.some((label, i) => label !== i)) {
    const some = labels.slice(0, 20).join(", ");
    const message = `Expected the labels to rename in source: those of "${name}" are ${some}, not numbers from 0.`;
    throw new OpenEoError("LabelsNotEnumerated", message);
  }
  if (target.length === labels.length) return target;
  throw new OpenEoError(
    "LabelMismatch",
    `Expected ${labels.length} ${labels.length === 1 ? "label" : "labels"} in target, got ${target.length}.`,
  );
}

function someRenamed(
  { labels, isOpen }: Dimension,
  target: readonly Label[],
  source: readonly Label[],
): readonly Label[] {
  if (source.length !== target.length) {
    throw new OpenEoError(
      "LabelMismatch",
      `Expected as many labels in target as in source, got ${target.length} and ${source.length}.`,
    );
  }
  if (isOpen) return labels;
  const missing = source.find((label) => !labels.includes(label));
  if (missing !== undefined)
    throw new OpenEoError("LabelNotAvailable", `The dimension has no label ${JSON.stringify(missing)}.`);
  return labels.map((label) => {
    const position = source.indexOf(label);
    return position < 0 ? label : target[position]!;
  });
}

export function addDimension(given: Arguments): Value {
  const data = given.cube("data");
  const name = given.text("name");
  const type = given.oneOf("type", ["bands", "temporal", "other"], "other");
  const isTaken =
    data.dimensions.some((dimension) => dimension.name === name) ||
    (data.grid !== undefined && (name === "x" || name === "y"));
  if (isTaken) throw new OpenEoError("DimensionExists", `There is a dimension "${name}" already.`);
  return cubeOf([...data.dimensions, { name, type, labels: [given.label("label")] }], data.cells, data);
}

export function dropDimension(given: Arguments): Value {
  const data = given.cube("data");
  const index = dimensionIndex(data, given.text("name"));
  const { labels, name, type } = data.dimensions[index]!;
  if (type === "geometry") throw given.invalid("name", "a dimension that is not of geometries");
  if (labels.length === 1) return withoutDimension(data, index, data.cells);
  throw new OpenEoError("DimensionLabelCountMismatch", `Expected one label in "${name}", found ${labels.length}.`);
}

export function dimensionLabels(given: Arguments, _: Compilation): Value {
  const data = given.cube("data");
  const { labels, isOpen, type } = data.dimensions[dimensionIndex(data, given.text("dimension"))]!;
  if (type === "geometry") throw given.invalid("dimension", "a dimension that is not of geometries");
  if (isOpen) throw new DependsOnUnknown();
  return { kind: "array", items: labels };
}
