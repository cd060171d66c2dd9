import { type Cube, isCube, type Label } from "../cube/cube.ts";
import { isLoaded, type LoadedCollection } from "../cube/load.ts";
import type { Expression, Expressions } from "../expression/expression.ts";
import { isObject, shown } from "../json.ts";

/** A value that nodes take and give. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Expression
  | Cube
  | LoadedCollection
  | ArrayValue
  | ObjectValue
  | Callback
  | PixelValues
  | SavedResult;

export interface ArrayValue {
  readonly kind: "array";
  readonly items: readonly Value[];
  /** Labels of the dimension that the items are along. */
  readonly labels?: readonly Label[];
  /** One item stands for as many as there will be. */
  readonly isOpen?: boolean;
  /** The position of a label, by all its names; default: by the label itself. */
  readonly indexOf?: (label: Label) => number;
  /** The same as it was written, where it was. */
  readonly json?: unknown;
}

export interface ObjectValue {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, Value>;
  /** The same as it was written, where it was. */
  readonly json?: unknown;
}

/** Parameters of a graph, and those of the graphs around it. */
export interface Parameters {
  readonly given: Readonly<Record<string, Value>>;
  readonly defaults: ReadonlyMap<string, Value>;
  readonly outer?: Parameters | undefined;
}

/** A process graph as an argument. */
export interface Callback {
  readonly kind: "callback";
  readonly graph: ProcessGraph;
  readonly parameters: Parameters | undefined;
}

/** A process graph: nodes in an order in which each comes after those that it takes results of. */
export interface ProcessGraph {
  readonly nodes: readonly GraphNode[];
  /** Position of each node by its id; nodes with faults have none. */
  readonly positions: ReadonlyMap<string, number>;
  /** Id of the node whose result is that of the graph. */
  readonly result: string;
  /** Values of its parameters where nobody gives others. */
  readonly defaults: ReadonlyMap<string, Value>;
}

/** One process and what it is given. */
export interface GraphNode {
  readonly id: string;
  readonly processId: string;
  /** Names of the arguments, in their order. */
  readonly names: readonly string[];
  readonly arguments: readonly Argument[];
  /** Path of the node in the whole graph, for errors. */
  readonly path: Path;
}

/** An argument as it is written; a `literal` is the same whenever the node is run. */
export type Argument =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "callback"; readonly graph: ProcessGraph }
  | { readonly kind: "array"; readonly items: readonly Argument[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Argument> };

export type Path = readonly (string | number)[];

/** The values of all pixels of an area: an array that only reducers take. */
export interface PixelValues {
  readonly kind: "pixels";
  readonly of: Expression;
  readonly area: number;
  /** 1 where the cube has a pixel, else no data. */
  readonly inside: Expression;
}

/** The value that `save_result` returns. */
export interface SavedResult {
  readonly kind: "saved";
  readonly data: Value;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const EXPRESSIONS: ReadonlySet<string> = new Set([
  "constant",
  "input",
  "region",
  "operation",
  "fold",
  "reduced",
  "resampled",
]);

export const isExpression = (value: Value): value is Expression =>
  typeof value === "object" && value !== null && EXPRESSIONS.has(value.kind);

/** A number, boolean or null as an expression, an expression as it is; `undefined` for all else. */
export function toExpression(value: Value, expressions: Expressions): Expression | undefined {
  if (value === null) return expressions.nothing;
  if (typeof value === "number") return expressions.constant(value);
  if (typeof value === "boolean") return expressions.constant(value ? 1 : 0, "boolean");
  return isExpression(value) ? value : undefined;
}

/** An expression as a value: a constant is a number, boolean or null. */
export function fromExpression(expression: Expression): Value {
  if (expression.kind !== "constant") return expression;
  const { value, type } = expression;
  if (Number.isNaN(value)) return null;
  return type === "boolean" ? value === 1 : value;
}

/** A value as JSON; `undefined` where it is, or holds, what is none. */
export function toJson(value: Value): unknown {
  if (value === null || typeof value !== "object") return value;
  if ((value.kind === "array" || value.kind === "object") && value.json !== undefined) return value.json;
  if (value.kind === "array") {
    const items = value.items.map(toJson);
    return items.includes(undefined) ? undefined : items;
  }
  if (value.kind !== "object") return undefined;
  const members = [...value.members].map(([name, each]) => [name, toJson(each)] as const);
  return members.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(members);
}

/** JSON as a value. */
export function fromJson(value: unknown): Value {
  if (Array.isArray(value)) return { kind: "array", items: value.map(fromJson), json: value };
  if (isObject(value)) {
    const members = new Map(Object.entries(value).map(([name, each]) => [name, fromJson(each)]));
    return { kind: "object", members, json: value };
  }
  return value as Value;
}

/** Describes a given value in a few words for messages. */
export function describeValue(value: Value | undefined): string {
  if (value === undefined || value === null || typeof value !== "object") return shown(value);
  if (isCube(value) || isLoaded(value)) return "a data cube";
  if (value.kind === "array") return `an array of ${value.items.length}`;
  if (value.kind === "object") return "an object";
  if (value.kind === "callback") return "a process graph";
  if (value.kind === "pixels") return "an array of pixel values";
  if (value.kind === "saved") return "what save_result gives";
  return `a ${value.type} of each pixel`;
}
