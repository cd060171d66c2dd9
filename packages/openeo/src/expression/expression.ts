import { OpenEoError } from "../errors.ts";
import { WORK } from "../work.ts";
import { FOLD_NAMES, type Fold, foldValues, OPERATIONS, type Operation } from "./operations.ts";

/** The type of an expression's values. */
export type ValueType = "number" | "boolean";

/**
 * A value for each pixel. Expressions that compute the same are one object, so that what they share is computed once.
 * - `constant`: the same everywhere; NaN is no data.
 * - `input`: a band of one time step of a loaded cube.
 * - `region`: 1 where a pixel's centre is in a region, else 0.
 * - `operation`: an operation on the values of its operands, pixel by pixel.
 * - `fold`: a fold of the values of its operands as an array.
 * - `reduced`: one number, computed from all pixels of an area.
 * - `resampled`: values computed on other pixels, brought to these.
 */
export type Expression = { readonly id: number; readonly type: ValueType } & (
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "input"; readonly input: Input }
  | { readonly kind: "region"; readonly region: number }
  | { readonly kind: "operation"; readonly operation: Operation; readonly operands: readonly Expression[] }
  | { readonly kind: "fold"; readonly fold: Fold; readonly operands: readonly Expression[] }
  | { readonly kind: "reduced"; readonly fold: Fold; readonly of: Expression; readonly area: number }
  | { readonly kind: "resampled"; readonly of: Expression; readonly from: number; readonly method: ResampleMethod }
);

/** The rule that turns values of other pixels into those of these, by the names of `gdalwarp -r`. */
export type ResampleMethod = (typeof RESAMPLE_METHODS)[number];

/** The methods of {@link ResampleMethod}. */
export const RESAMPLE_METHODS = [
  "near",
  "bilinear",
  "cubic",
  "average",
  "rms",
  "sum",
  "mode",
  "min",
  "max",
  "q1",
  "med",
  "q3",
] as const;
/** Methods that give one of the values that they take. */
const KEEPING: ReadonlySet<ResampleMethod> = new Set(["near", "mode", "min", "max", "q1", "med", "q3"] as const);

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

const BOOLEAN: ReadonlySet<Operation> = new Set(
  (["eq", "neq", "lt", "lte", "gt", "gte", "and", "or", "not", "is_nodata"] as const).map((name): Operation => name),
);
/** Numbers of operations and folds, for keys. */
const NUMBERS: ReadonlyMap<string, number> = new Map(
  ["constant", "input", "region", "resampled", ...Object.keys(OPERATIONS), ...FOLD_NAMES].map((name, i) => [name, i]),
);

/** Makes the expressions of one graph: what computes the same is one object. */
export class Expressions {
  /** By a hash of what they compute; where two have the same one, the next number that is free. */
  readonly #known = new Map<number, Expression>();
  readonly #constants = { number: new Map<number, Expression>(), boolean: new Map<number, Expression>() };
  readonly #spend: (work: number) => void;
  #count = 0;
  /** Numbers that will be known with the time steps of loads. */
  readonly #unknown = new Set<number>();
  /** No data. */
  readonly nothing: Expression;

  /** @param spend counts the work of making expressions: what it throws ends it */
  constructor(spend: (work: number) => void = () => {}) {
    this.#spend = spend;
    this.nothing = this.constant(Number.NaN);
  }

  constant(value: number, type: ValueType = "number"): Expression {
    // a Map takes both zeros for one
    const isNegativeZero = Object.is(value, -0);
    const known = isNegativeZero ? undefined : this.#constants[type].get(value);
    if (known !== undefined) return known;
    const made = this.#add({ kind: "constant", value, type });
    if (!isNegativeZero) this.#constants[type].set(value, made);
    return made;
  }

  input(input: Input): Expression {
    const { load, time, band } = input;
    return this.#one(hashOf("input", load, time, band), { kind: "input", input, type: "number" });
  }

  region(region: number): Expression {
    return this.#one(hashOf("region", region), { kind: "region", region, type: "boolean" });
  }

  /** The operation of as many operands as it takes; constants are computed at once. */
  operation(operation: Operation, ...operands: readonly Expression[]): Expression {
    const [x, y, z] = operands;
    if (operation === "if" && x?.kind === "constant") return x.value === 1 ? y! : z!;
    const type = operation === "if" ? typeOfEither(y, z) : BOOLEAN.has(operation) ? "boolean" : "number";
    if (operands.every((each) => each.kind === "constant")) {
      const value = OPERATIONS[operation](constantOf(x), constantOf(y), constantOf(z));
      return this.constant(value, type);
    }
    const hash = hashOf(operation, x?.id ?? -1, y?.id ?? -1, z?.id ?? -1);
    const made = this.#one(hash, { kind: "operation", operation, operands, type });
    if (operands.every((each) => this.#isNumber(each))) this.#unknown.add(made.id);
    return made;
  }

  /** Whether it is a number that is not known yet: how many time steps there will be, or an expression of that. */
  isUnknown({ id }: Expression): boolean {
    return this.#unknown.has(id);
  }

  #isNumber(each: Expression): boolean {
    return each.kind === "constant" || this.#unknown.has(each.id);
  }

  /** @param isOpen whether the operands stand for as many as there will be */
  fold(fold: Fold, operands: readonly Expression[], isOpen = false): Expression {
    this.#spend(WORK.operand * operands.length);
    const keepsType = fold.name === "first" || fold.name === "last";
    const type = keepsType ? (operands[0]?.type ?? "number") : "number";
    if (!isOpen && operands.every((each) => each.kind === "constant")) {
      return this.constant(foldValues(fold, operands.map(constantOf)), type);
    }
    let hash = hashOf(fold.name, fold.ignoresNodata ? 1 : 0, hashOfNumber(fold.at));
    for (const { id } of operands) hash = mixed(hash, id);
    const made = this.#one(hash, { kind: "fold", fold, operands, type });
    if (operands.every((each) => this.#isNumber(each))) this.#unknown.add(made.id);
    return made;
  }

  reduced(fold: Fold, of: Expression, area: number): Expression {
    const hash = hashOf(fold.name, fold.ignoresNodata ? 2 : 3, hashOfNumber(fold.at), of.id, area);
    return this.#one(hash, { kind: "reduced", fold, of, area, type: "number" });
  }

  /** @param from number of the grid that has the pixels of the other expression */
  resampled(of: Expression, from: number, method: ResampleMethod): Expression {
    // resampling a constant gives the constant, except for a sum
    if (this.#isNumber(of) && (method !== "sum" || (of.kind === "constant" && Number.isNaN(of.value)))) return of;
    const type = KEEPING.has(method) ? of.type : "number";
    const hash = hashOf("resampled", of.id, from, RESAMPLE_METHODS.indexOf(method));
    return this.#one(hash, { kind: "resampled", of, from, method, type });
  }

  #one(hash: number, body: Body): Expression {
    let key = hash;
    for (let known = this.#known.get(key); known !== undefined; known = this.#known.get(key)) {
      if (isSame(known, body)) {
        this.#spend(WORK.expression);
        return known;
      }
      this.#spend(WORK.expression);
      key = (key + 1) | 0;
    }
    const made = this.#add(body);
    this.#known.set(key, made);
    return made;
  }

  #add(body: Body): Expression {
    this.#spend(2 * WORK.expression);
    if (this.#count >= MAX_EXPRESSIONS) {
      const message = `The graph computes more than ${MAX_EXPRESSIONS.toLocaleString("en-US")} values a pixel: ask for less time, or fewer bands.`;
      throw new OpenEoError("ProcessGraphComplexity", message);
    }
    return { ...body, id: this.#count++ } as Expression;
  }
}

/** A step of FNV-1a (Fowler, Noll, Vo) on numbers of 32 bits. */
const mixed = (hash: number, value: number): number => {
  const next = Math.imul(hash ^ value, 0x01000193);
  return next ^ (next >>> 15);
};

function hashOf(name: string, ...values: readonly number[]): number {
  let hash = mixed(0x811c9dc5, NUMBERS.get(name) ?? -1);
  for (const value of values) hash = mixed(hash, value);
  return hash;
}

/** Returns the hash of a number from 0 to 1. */
const hashOfNumber = (value: number | undefined): number => (value === undefined ? -1 : Math.floor(value * 0x7fffffff));

/** Whether an expression that is known computes this. */
function isSame(known: Expression, body: Body): boolean {
  if (known.kind !== body.kind) return false;
  switch (known.kind) {
    case "constant":
      return false;
    case "input": {
      const { load, time, band } = (body as typeof known).input;
      return known.input.load === load && known.input.time === time && known.input.band === band;
    }
    case "region":
      return known.region === (body as typeof known).region;
    case "operation": {
      const { operation, operands } = body as typeof known;
      return known.operation === operation && isSameList(known.operands, operands);
    }
    case "fold": {
      const { fold, operands } = body as typeof known;
      return isSameFold(known.fold, fold) && isSameList(known.operands, operands);
    }
    case "reduced": {
      const { fold, of, area } = body as typeof known;
      return isSameFold(known.fold, fold) && known.of === of && known.area === area;
    }
    case "resampled": {
      const { of, from, method } = body as typeof known;
      return known.of === of && known.from === from && known.method === method;
    }
  }
}

const isSameFold = (a: Fold, b: Fold): boolean =>
  a.name === b.name && a.ignoresNodata === b.ignoresNodata && a.at === b.at;

const isSameList = (a: readonly Expression[], b: readonly Expression[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

const constantOf = (each: Expression | undefined): number => (each?.kind === "constant" ? each.value : Number.NaN);

/** The type of two branches; no data is of any type. */
function typeOfEither(a: Expression | undefined, b: Expression | undefined): ValueType {
  const isNothing = (each: Expression | undefined): boolean => each?.kind === "constant" && Number.isNaN(each.value);
  if (isNothing(a)) return b?.type ?? "number";
  if (isNothing(b)) return a?.type ?? "number";
  return a?.type === "boolean" && b?.type === "boolean" ? "boolean" : "number";
}
