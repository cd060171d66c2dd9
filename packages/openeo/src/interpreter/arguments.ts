import { type Cube, isCube, type Label } from "../cube/cube.ts";
import { isLoaded, type LoadedCollection } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import type { Expression, Expressions, ValueType } from "../expression/expression.ts";
import { WORK } from "../work.ts";
import { DependsOnUnknown } from "./faults.ts";
import {
  type ArrayValue,
  type Callback,
  describeValue,
  type GraphNode,
  isExpression,
  type Path,
  type PixelValues,
  toExpression,
  toJson,
  type Value,
} from "./values.ts";

/** The values of an array. */
export interface Operands {
  readonly kind: "operands";
  readonly values: readonly Expression[];
  /** One value stands for as many as there will be. */
  readonly isOpen: boolean;
}

/** The parts of a compilation by which arguments are read. */
interface Reading {
  readonly expressions: Expressions;
  cube(value: Cube | LoadedCollection): Cube;
  spend(units: number): void;
  spendCells(cube: Cube): void;
}

/** The arguments of a node, read by the types that its process takes. `null` stands for an argument that is not given. */
export class Arguments {
  readonly #compilation: Reading;
  readonly #node: GraphNode;
  readonly #values: readonly Value[];

  /** @param values in the order of the node's arguments */
  constructor(compilation: Reading, node: GraphNode, values: readonly Value[]) {
    this.#compilation = compilation;
    this.#node = node;
    this.#values = values;
  }

  /** Path of the node in the graph. */
  get path(): Path {
    return this.#node.path;
  }

  has(name: string): boolean {
    return this.value(name) !== null;
  }

  /** The value; `null` where it is null or not given. */
  value(name: string): Value {
    return this.#written(name) ?? null;
  }

  /** The value; `undefined` where it is not given. */
  #written(name: string): Value | undefined {
    return this.#values[this.#node.names.indexOf(name)];
  }

  /**
   * The error of an argument.
   *
   * @throws {DependsOnUnknown} where the argument is not known yet: it may turn out to be what is expected
   */
  invalid(name: string, expected: string, given: Value | undefined = this.#written(name)): OpenEoError {
    if (given !== undefined && this.#isUnknown(given)) throw new DependsOnUnknown();
    const path = [...this.#node.path, "arguments", name];
    const { processId } = this.#node;
    if (this.#written(name) === undefined) {
      return new OpenEoError("ProcessParameterRequired", `${processId} needs ${name}: ${expected}.`, { path });
    }
    const message = `${processId}: expected ${name} as ${expected}, got ${describeValue(given)}.`;
    return new OpenEoError("ProcessParameterInvalid", message, { path });
  }

  #isUnknown(value: Value): boolean {
    if (typeof value !== "object" || value === null) return false;
    if (value.kind === "array") return value.items.some((item) => this.#isUnknown(item));
    if (value.kind === "object") return [...value.members.values()].some((each) => this.#isUnknown(each));
    return isExpression(value) && this.#compilation.expressions.isUnknown(value);
  }

  /** A data cube, or a collection that is not loaded yet. */
  cubeOrLoad(name: string): Cube | LoadedCollection {
    const value = this.value(name);
    if (isCube(value) || isLoaded(value)) return value;
    throw this.invalid(name, "a data cube");
  }

  cube(name: string): Cube {
    const cube = this.#compilation.cube(this.cubeOrLoad(name));
    this.#compilation.spendCells(cube);
    return cube;
  }

  /** A data cube with x and y. */
  rasterCube(name: string): Cube & Required<Pick<Cube, "grid">> {
    const cube = this.cube(name);
    if (cube.grid !== undefined) return { ...cube, grid: cube.grid };
    throw this.invalid(name, "a data cube with x and y", "one that was aggregated over space");
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value === "string") return value;
    throw this.invalid(name, "text");
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  oneOf<T extends string>(name: string, known: readonly T[], otherwise: T): T {
    if (!this.has(name)) return otherwise;
    const found = known.find((each) => each === this.value(name));
    if (found !== undefined) return found;
    throw this.invalid(name, known.join(" or "));
  }

  number(name: string): number {
    const value = this.value(name);
    if (typeof value === "number") return value;
    throw this.invalid(name, "a number");
  }

  boolean(name: string, otherwise: boolean): boolean {
    if (!this.has(name)) return otherwise;
    const value = this.value(name);
    if (typeof value === "boolean") return value;
    throw this.invalid(name, "true or false");
  }

  label(name: string): Label {
    const value = this.value(name);
    if (typeof value === "string" || typeof value === "number") return value;
    throw this.invalid(name, "text or a number");
  }

  array(name: string): ArrayValue {
    const value = this.value(name);
    if (typeof value === "object" && value?.kind === "array") {
      this.#compilation.spend(WORK.item * value.items.length);
      return value;
    }
    throw this.invalid(name, "an array");
  }

  labels(name: string): readonly Label[] {
    return this.array(name).items.map((item) => {
      if (typeof item === "string" || typeof item === "number") return item;
      throw this.invalid(name, "an array of texts or numbers");
    });
  }

  /** A GeoJSON or other object, as JSON. */
  json(name: string): unknown {
    const value = this.value(name);
    const json = typeof value === "object" && value !== null ? toJson(value) : value;
    if (json === undefined) throw this.invalid(name, "JSON");
    return json;
  }

  callback(name: string): Callback {
    const value = this.value(name);
    if (typeof value === "object" && value?.kind === "callback") return value;
    throw this.invalid(name, 'a process graph, {"process_graph": {…}}');
  }

  optionalCallback(name: string): Callback | undefined {
    return this.has(name) ? this.callback(name) : undefined;
  }

  /** Reads a number or boolean, one for each pixel or the same for all; null is no data. */
  operand(name: string, type: ValueType | "any"): Expression {
    const value = this.#written(name);
    if (value === undefined) throw this.invalid(name, type === "any" ? "a value" : `a ${type}`);
    const found = toExpression(value, this.#compilation.expressions);
    const isNothing = value === null;
    if (found !== undefined && (type === "any" || isNothing || found.type === type)) return found;
    throw this.invalid(name, type === "any" ? "a number or boolean" : `a ${type}`, value);
  }

  /** An array of numbers and booleans, or the pixel values of an area. */
  operands(name: string): Operands | PixelValues {
    const value = this.value(name);
    if (typeof value === "object" && value?.kind === "pixels") return value;
    const { items, isOpen } = this.array(name);
    const values = items.map((item) => {
      const found = toExpression(item, this.#compilation.expressions);
      if (found !== undefined) return found;
      throw this.invalid(name, "an array of numbers", item);
    });
    return { kind: "operands", values, isOpen: isOpen === true };
  }

  /** Returns the one value that a callback has to give. */
  scalar(name: string, given: Value): Expression {
    const found = toExpression(given, this.#compilation.expressions);
    if (found !== undefined) return found;
    throw this.invalid(name, "a process graph that gives one number", given);
  }
}
