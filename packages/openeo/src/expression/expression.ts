import { OpenEoError } from "../errors.ts";
import { type Fold, foldValues, OPERATIONS, type Operation } from "./operations.ts";

/** What the values of an expression mean. */
export type ValueType = "number" | "boolean";

/**
 * A value for each pixel. Expressions that compute the same are one object, so that what they share is computed once.
 * - `constant`: the same everywhere; NaN is no data.
 * - `input`: a band of one time step of a loaded cube.
 * - `region`: 1 where a pixel's centre is in a region, else 0.
 * - `operation`: of the values of its operands, pixel by pixel.
 * - `fold`: of the values of its operands as an array.
 * - `reduced`: one number, of all pixels of an area.
 */
export type Expression = { readonly id: number; readonly type: ValueType } & (
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "input"; readonly input: Input }
  | { readonly kind: "region"; readonly region: number }
  | { readonly kind: "operation"; readonly operation: Operation; readonly operands: readonly Expression[] }
  | { readonly kind: "fold"; readonly fold: Fold; readonly operands: readonly Expression[] }
  | { readonly kind: "reduced"; readonly fold: Fold; readonly of: Expression; readonly area: number }
);

/** The value of a pixel that a load reads. */
export interface Input {
  /** Number of the load. */
  readonly load: number;
  /** Number of the time step in the load. */
  readonly time: number;
  /** Number of the band in the load. */
  readonly band: number;
}

type Body<T = Expression> = T extends Expression ? Omit<T, "id"> : never;

/** Expressions of one graph. */
const MAX_EXPRESSIONS = 200_000;
/** Operands of all expressions of one graph. */
const MAX_OPERANDS = 2_000_000;

const BOOLEAN: ReadonlySet<Operation> = new Set(
  (["eq", "neq", "lt", "lte", "gt", "gte", "and", "or", "not", "is_nodata"] as const).map((name): Operation => name),
);

/** Makes the expressions of one graph. */
export class Expressions {
  readonly #known = new Map<string, Expression>();
  #operands = 0;

  constant(value: number, type: ValueType = "number"): Expression {
    return this.#one(`c${type[0]}${Object.is(value, -0) ? "-0" : value}`, { kind: "constant", value, type });
  }

  /** No data. */
  get nothing(): Expression {
    return this.constant(Number.NaN);
  }

  input(input: Input): Expression {
    return this.#one(`i${input.load},${input.time},${input.band}`, { kind: "input", input, type: "number" });
  }

  region(region: number): Expression {
    return this.#one(`r${region}`, { kind: "region", region, type: "boolean" });
  }

  /** The operation of as many operands as it takes; constants are computed at once. */
  operation(operation: Operation, ...operands: readonly Expression[]): Expression {
    const type =
      operation === "if" ? typeOfEither(operands[1], operands[2]) : BOOLEAN.has(operation) ? "boolean" : "number";
    if (operands.every((each) => each.kind === "constant")) {
      const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = operands.map(constantOf);
      return this.constant(OPERATIONS[operation](x, y, z), type);
    }
    if (operation === "if" && operands[0]?.kind === "constant")
      return operands[0].value === 1 ? operands[1]! : operands[2]!;
    const key = `o${operation}:${operands.map(({ id }) => id).join(",")}`;
    return this.#one(key, { kind: "operation", operation, operands, type });
  }

  fold(fold: Fold, operands: readonly Expression[]): Expression {
    const keepsType = ["first", "last"].includes(fold.name);
    const type = keepsType ? (operands[0]?.type ?? "number") : "number";
    if (operands.every((each) => each.kind === "constant")) {
      return this.constant(foldValues(fold, operands.map(constantOf)), type);
    }
    const key = `f${fold.name},${fold.ignoresNodata},${fold.at}:${operands.map(({ id }) => id).join(",")}`;
    return this.#one(key, { kind: "fold", fold, operands, type });
  }

  reduced(fold: Fold, of: Expression, area: number): Expression {
    const key = `p${fold.name},${fold.ignoresNodata},${fold.at}:${of.id},${area}`;
    return this.#one(key, { kind: "reduced", fold, of, area, type: "number" });
  }

  #one(key: string, body: Body): Expression {
    let known = this.#known.get(key);
    if (known === undefined) {
      this.#operands += "operands" in body ? body.operands.length : 0;
      if (this.#known.size >= MAX_EXPRESSIONS || this.#operands > MAX_OPERANDS) {
        const message = `The graph computes more than ${MAX_EXPRESSIONS.toLocaleString("en-US")} values a pixel: ask for less time, or fewer bands.`;
        throw new OpenEoError("ProcessGraphComplexity", message);
      }
      known = { ...body, id: this.#known.size } as Expression;
      this.#known.set(key, known);
    }
    return known;
  }
}

const constantOf = (each: Expression): number => (each.kind === "constant" ? each.value : Number.NaN);

/** The type of two branches; no data is of any type. */
function typeOfEither(a: Expression | undefined, b: Expression | undefined): ValueType {
  const isNothing = (each: Expression | undefined): boolean => each?.kind === "constant" && Number.isNaN(each.value);
  if (isNothing(a)) return b?.type ?? "number";
  if (isNothing(b)) return a?.type ?? "number";
  return a?.type === "boolean" && b?.type === "boolean" ? "boolean" : "number";
}

/**
 * Computes expressions of single numbers: what was reduced, constants, and what is made of them.
 *
 * @param reduced the number of each `reduced` expression, by its id
 * @returns one a expression; NaN is no data
 */
export function evaluateNumbers(
  expressions: readonly Expression[],
  reduced: ReadonlyMap<number, number>,
): readonly number[] {
  const known = new Map<number, number>();
  const compute = (each: Expression): number => {
    switch (each.kind) {
      case "constant":
        return each.value;
      case "operation": {
        const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = each.operands.map((operand) => known.get(operand.id)!);
        return OPERATIONS[each.operation](x, y, z);
      }
      case "fold":
        return foldValues(
          each.fold,
          each.operands.map((operand) => known.get(operand.id)!),
        );
      default:
        return reduced.get(each.id) ?? Number.NaN;
    }
  };
  for (const each of inOrder(expressions)) known.set(each.id, compute(each));
  return expressions.map(({ id }) => known.get(id)!);
}

/** Expressions and all that they are made of but what `reduced` ones reduce, each once, operands first. */
export function inOrder(expressions: Iterable<Expression>): readonly Expression[] {
  const found = new Map<number, Expression>();
  const open = [...expressions];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (found.has(each.id)) continue;
    found.set(each.id, each);
    if ("operands" in each) open.push(...each.operands);
  }
  // operands are made before what is made of them
  return [...found.values()].sort((a, b) => a.id - b.id);
}
