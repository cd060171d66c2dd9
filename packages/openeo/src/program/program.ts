import type { Expression, Input } from "../expression/expression.ts";
import type { Fold, Operation } from "../expression/operations.ts";
import { inOrder } from "../expression/traversal.ts";

/**
 * A straight line of steps on registers, each of which holds a value for each pixel of a strip: plain data. Time steps are
 * loaded one after the other and given up as soon as nothing needs them, so that a mean over a year holds one at a time.
 */
export interface Program {
  /** Registers in use at once at most. */
  readonly registers: number;
  readonly steps: readonly Step[];
}

/** One step of a program: it computes a register for all pixels of a block. */
export type Step =
  /** Reads bands of a time step into registers. */
  | { readonly kind: "load"; readonly load: number; readonly time: number; readonly bands: readonly BandTarget[] }
  | { readonly kind: "constant"; readonly out: number; readonly value: number }
  | { readonly kind: "region"; readonly out: number; readonly region: number }
  | {
      readonly kind: "apply";
      readonly operation: Operation;
      readonly out: number;
      readonly operands: readonly number[];
    }
  /** Takes the first value, or the next one, into the state of a fold. */
  | { readonly kind: "begin" | "take"; readonly fold: Fold; readonly state: readonly number[]; readonly value: number }
  /** Writes the result of a fold to its first register of state. */
  | { readonly kind: "end"; readonly fold: Fold; readonly state: readonly number[] }
  /** Folds values that have to be there together. */
  | { readonly kind: "gather"; readonly fold: Fold; readonly out: number; readonly values: readonly number[] }
  /** Hands over an output. */
  | { readonly kind: "emit"; readonly output: number; readonly from: number };

/** A band that is read, and the register that takes it. */
export interface BandTarget {
  /** Number of the band in the load. */
  readonly band: number;
  readonly register: number;
}

/** Registers of state of a fold that takes one value after the other; absent: it needs all values. */
const STATE: Readonly<Partial<Record<Fold["name"], number>>> = {
  sum: 1,
  product: 1,
  min: 1,
  max: 1,
  first: 1,
  last: 1,
  count: 1,
  mean: 2,
  variance: 3,
  sd: 3,
};

/** Registers of the state of a fold; `undefined`: it has none, it needs all values at once. */
export const stateSize = ({ name }: Fold): number | undefined => STATE[name];

/** An expression over other pixels: a program loads it, as it loads samples of scenes. */
export type ResampledExpression = Extract<Expression, { kind: "resampled" }>;

/** Tells by which load, time step and band a program gets the values of other pixels. */
export type InputOf = (resampled: ResampledExpression) => Input;

const NONE: InputOf = () => {
  throw new TypeError("Expected a program without values of other pixels.");
};

/**
 * Compiles outputs to one program.
 *
 * @param order where a time step is in the order of reading: that of time, whatever the load
 * @param inputOf default: nothing comes from other pixels
 */
export function compileProgram(
  outputs: readonly Expression[],
  order: (input: Pick<Input, "load" | "time">) => number,
  inputOf: InputOf = NONE,
): Program {
  return new Compiler(outputs, inputOf).compile(order);
}

/**
 * Outputs that share no time step, apart: each group can be computed by itself, one time step after the other.
 *
 * @returns numbers of outputs
 */
export function independentOutputs(
  outputs: readonly Expression[],
  inputOf: InputOf = NONE,
): readonly (readonly number[])[] {
  // a representative of each expression and of each time step; an expression without time steps joins nothing
  const owner = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let next = owner.get(root); next !== undefined && next !== root; next = owner.get(root)) root = next;
    owner.set(key, root);
    return root;
  };
  const timeless = new Set<number>();
  for (const each of inOrder(outputs)) {
    const input = inputIn(each, inputOf);
    const joined = input === undefined ? timedOperands(each, timeless) : [`${input.load},${input.time}`];
    if (joined.length === 0) timeless.add(each.id);
    for (const key of joined) owner.set(rootOf(key), rootOf(String(each.id)));
  }
  const groups = new Map<string, number[]>();
  outputs.forEach(({ id }, i) => {
    append(groups, rootOf(String(id)), i);
  });
  return [...groups.values()];
}

/** Returns the input that a program loads for an expression; `undefined`: the program computes it. */
function inputIn(each: Expression, inputOf: InputOf): Input | undefined {
  if (each.kind === "input") return each.input;
  return each.kind === "resampled" ? inputOf(each) : undefined;
}

const timedOperands = (each: Expression, timeless: ReadonlySet<number>): readonly string[] =>
  "operands" in each ? each.operands.flatMap(({ id }) => (timeless.has(id) ? [] : [String(id)])) : [];

class Compiler {
  readonly #outputs: readonly Expression[];
  readonly #inputOf: InputOf;
  /** Numbers of the outputs that an expression is. */
  readonly #outputsOf = new Map<number, number[]>();
  readonly #steps: Step[] = [];
  readonly #register = new Map<number, number>();
  readonly #state = new Map<number, readonly number[]>();
  /** The number of uses of a value that are still to come. */
  readonly #uses = new Map<number, number>();
  /** Expressions that use a value. */
  readonly #followers = new Map<number, Expression[]>();
  /** Expressions that need no time step: each is computed where it is first needed. */
  readonly #timeless = new Set<number>();
  /** Operands of an expression that are not there yet. */
  readonly #missing = new Map<number, number>();
  /** Operands that a fold has taken. */
  readonly #taken = new Map<number, number>();
  readonly #free: number[] = [];
  #registers = 0;

  constructor(outputs: readonly Expression[], inputOf: InputOf) {
    this.#outputs = outputs;
    this.#inputOf = inputOf;
    outputs.forEach(({ id }, i) => {
      append(this.#outputsOf, id, i);
    });
  }

  compile(order: (input: Pick<Input, "load" | "time">) => number): Program {
    const times = new Map<string, LoadedInput[]>();
    for (const each of inOrder(this.#outputs)) {
      const input = inputIn(each, this.#inputOf);
      if (input !== undefined) append(times, `${input.load},${input.time}`, { expression: each, input });
      else if (!("operands" in each) || each.operands.every(({ id }) => this.#timeless.has(id))) {
        this.#timeless.add(each.id);
      }
      if (!("operands" in each)) continue;
      for (const { id } of each.operands) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
      const timed = new Set(each.operands.map((operand) => operand.id).filter((id) => !this.#timeless.has(id)));
      for (const id of timed) append(this.#followers, id, each);
      this.#missing.set(each.id, timed.size);
    }
    for (const { id } of this.#outputs) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    for (const members of [...times.values()].sort((a, b) => order(a[0]!.input) - order(b[0]!.input))) {
      const { load, time } = members[0]!.input;
      const bands = members.map(({ expression, input }) => ({ band: input.band, register: this.#take(expression.id) }));
      this.#steps.push({ kind: "load", load, time, bands });
      for (const { expression } of members) this.#settle(expression);
    }
    for (const output of new Set(this.#outputs)) {
      if (!this.#timeless.has(output.id)) continue;
      this.#value(output);
      this.#emit(output);
    }
    return { registers: Math.max(1, this.#registers), steps: this.#steps };
  }

  #take(id: number): number {
    const register = this.#free.pop() ?? this.#registers++;
    this.#register.set(id, register);
    return register;
  }

  /** One use of a value less; its register is free after the last. */
  #release({ id }: Expression): void {
    const left = (this.#uses.get(id) ?? 0) - 1;
    this.#uses.set(id, left);
    if (left > 0) return;
    const register = this.#register.get(id);
    this.#register.delete(id);
    if (register !== undefined) this.#free.push(register);
  }

  /** A value is there: hands it over where it is an output, and computes all that waited for it alone. */
  #settle(value: Expression): void {
    const ready = [value];
    for (let each = ready.pop(); each !== undefined; each = ready.pop()) {
      for (const follower of this.#followers.get(each.id) ?? []) {
        const missing = this.#missing.get(follower.id)! - 1;
        this.#missing.set(follower.id, missing);
        if ((missing === 0 || takesOneByOne(follower)) && this.#advance(follower)) ready.push(follower);
      }
      this.#emit(each);
    }
  }

  #emit(value: Expression): void {
    for (const output of this.#outputsOf.get(value.id) ?? []) {
      this.#steps.push({ kind: "emit", output, from: this.#register.get(value.id)! });
      this.#release(value);
    }
  }

  /** Computes an expression whose operands are there, or takes those of a fold that are; true where it is done by this. */
  #advance(each: Expression): boolean {
    if (each.kind === "operation" || (each.kind === "fold" && !takesOneByOne(each))) {
      const operands = each.operands.map((operand) => this.#value(operand));
      for (const operand of each.operands) this.#release(operand);
      // the result may stand in an operand's register: values are read before they are written
      const out = this.#take(each.id);
      if (each.kind === "fold") this.#steps.push({ kind: "gather", fold: each.fold, values: operands, out });
      else this.#steps.push({ kind: "apply", operation: each.operation, out, operands });
      return true;
    }
    return each.kind === "fold" && this.#takeValues(each);
  }

  /** Takes the values that are there into the state of a fold, in their order; true where they were the last ones. */
  #takeValues(each: Extract<Expression, { kind: "fold" }>): boolean {
    const { fold, operands } = each;
    let taken = this.#taken.get(each.id) ?? 0;
    if (taken === operands.length) return false;
    for (let operand = operands[taken]; operand !== undefined && this.#isThere(operand); operand = operands[taken]) {
      const value = this.#value(operand);
      const known = this.#state.get(each.id);
      const state = known ?? Array.from({ length: stateSize(fold)! }, () => this.#free.pop() ?? this.#registers++);
      this.#state.set(each.id, state);
      this.#steps.push({ kind: known === undefined ? "begin" : "take", fold, state, value });
      this.#release(operand);
      taken += 1;
    }
    this.#taken.set(each.id, taken);
    if (taken < operands.length) return false;
    const state = this.#state.get(each.id)!;
    this.#steps.push({ kind: "end", fold, state });
    this.#register.set(each.id, state[0]!);
    this.#free.push(...state.slice(1));
    return true;
  }

  #isThere({ id }: Expression): boolean {
    return this.#register.has(id) || this.#timeless.has(id);
  }

  /** The register of a value that is there, or that can be made now. */
  #value(each: Expression): number {
    const known = this.#register.get(each.id);
    if (known !== undefined) return known;
    if (each.kind === "constant") this.#steps.push({ kind: "constant", out: this.#take(each.id), value: each.value });
    else if (each.kind === "region")
      this.#steps.push({ kind: "region", out: this.#take(each.id), region: each.region });
    else this.#advance(each);
    return this.#register.get(each.id)!;
  }
}

const takesOneByOne = (each: Expression): boolean => each.kind === "fold" && stateSize(each.fold) !== undefined;

/** An expression whose values are loaded. */
interface LoadedInput {
  readonly expression: Expression;
  readonly input: Input;
}

function append<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
