import type { Filter, Operand, Pattern } from "../filter.ts";
import { shown } from "../input-location.ts";
import { findQueryable, type Queryable, type QueryableKind, type Queryables } from "../queryables.ts";
import { Constants, findTime } from "./constants.ts";
import type { At, Expression, Fault } from "./expression.ts";
import { findOperator, type Operator } from "./operators.ts";

/** The type of a value, in the words of messages; `undefined` where it is not known before items are seen. */
type ValueType = "text" | "number" | "truth value" | "time" | "interval" | "geometry" | "list" | undefined;

/** An operand with its type, and the queryable it is where it is a property. */
interface Bound {
  readonly operand: Operand;
  readonly type: ValueType;
  readonly at: At;
  readonly queryable?: Queryable;
}

const TYPES: Readonly<Record<QueryableKind, ValueType>> = {
  string: "text",
  strings: "list",
  number: "number",
  boolean: "truth value",
  instant: "time",
  date: "time",
  geometry: "geometry",
};
const SCALARS: readonly ValueType[] = ["text", "number", "truth value", "time"];
const ORDERED: readonly ValueType[] = ["text", "number", "time"];

/** Gives the expressions of either encoding their meaning: which property, which type, which relation. */
export class Binder {
  readonly #fault: Fault;
  readonly #queryables: Queryables | undefined;
  readonly #constants: Constants;

  constructor(fault: Fault, queryables: Queryables | undefined) {
    this.#fault = fault;
    this.#queryables = queryables;
    this.#constants = new Constants(fault, queryables === undefined ? "any" : "simple");
  }

  filter(expression: Expression): Filter {
    if (expression.kind === "literal" && typeof expression.value === "boolean") {
      return { op: "boolean", operand: { literal: expression.value } };
    }
    const operator = expression.kind === "operation" ? findOperator(expression.op) : undefined;
    if (expression.kind === "operation" && operator === undefined) {
      return { op: "boolean", operand: this.#function(expression).operand };
    }
    const filter =
      expression.kind === "operation" && operator !== undefined ? this.#condition(operator, expression) : undefined;
    if (filter !== undefined) return filter;
    const hint = expression.kind === "property" ? `: compare it, as in ${expression.name} = …` : "";
    throw this.#fault(expression.at, `Expected a condition, got ${nameOf(expression)}${hint}.`);
  }

  /** The condition that an operation is; `undefined` where it is a value. */
  #condition(operator: Operator, { op, args, at }: Extract<Expression, { kind: "operation" }>): Filter | undefined {
    switch (operator.kind) {
      case "and":
      case "or":
        if (args.length < 2) throw this.#count(op, "two or more", args.length, at);
        return { op: operator.kind, args: args.map((arg) => this.filter(arg)) };
      case "not":
        return { op: "not", arg: this.filter(this.#only(op, args, at)) };
      case "compare": {
        const [first, second] = this.#two(op, args, at);
        const [left, right] = this.#alike(this.#scalar(first), [this.#scalar(second)]);
        return { op: "compare", operator: operator.operator, left, right: right as Operand };
      }
      case "between": {
        if (args.length !== 3) throw this.#count(op, "three", args.length, at);
        const [operand, lower, upper] = args.map((arg) => this.#of(ORDERED, this.#scalar(arg)));
        const [value, from, to] = this.#alike(operand as Bound, [lower as Bound, upper as Bound]);
        return { op: "between", operand: value, lower: from as Operand, upper: to as Operand };
      }
      case "in": {
        const [value, list] = this.#two(op, args, at);
        if (list.kind !== "array") throw this.#fault(list.at, `Expected a list of values, got ${nameOf(list)}.`);
        if (list.entries.length === 0) throw this.#fault(list.at, "Expected at least one value.");
        const [operand, ...values] = this.#alike(
          this.#scalar(value),
          list.entries.map((entry) => this.#scalar(entry)),
        );
        return { op: "in", operand, values };
      }
      case "like": {
        const [value, pattern] = this.#two(op, args, at);
        return {
          op: "like",
          operand: this.#of(["text"], this.#operand(value)).operand,
          pattern: this.#pattern(pattern),
        };
      }
      case "isNull": {
        const value = this.#only(op, args, at);
        if (value.kind === "array") throw this.#fault(value.at, "Expected a value, got a list.");
        return { op: "isNull", operand: this.#operand(value).operand };
      }
      case "spatial": {
        const sides = this.#sides(op, args, at, ["geometry"]);
        if (operator.operator !== "intersects" && operator.operator !== "disjoint") {
          this.#constants.related([sides.left, sides.right], [args[0]?.at ?? at, args[1]?.at ?? at]);
        }
        return { op: "spatial", operator: operator.operator, ...sides };
      }
      case "temporal":
        return { op: "temporal", operator: operator.operator, ...this.#sides(op, args, at, ["time", "interval"]) };
      case "array":
        return { op: "array", operator: operator.operator, ...this.#sides(op, args, at, ["list"]) };
      default:
        return undefined;
    }
  }

  #operand(expression: Expression): Bound {
    const { at } = expression;
    switch (expression.kind) {
      case "literal":
        return { operand: { literal: expression.value }, type: typeOf(expression.value), at };
      case "property":
        return this.#property(expression, at);
      case "date":
      case "timestamp":
        return { operand: this.#constants.time(expression.text, at, expression.kind), type: "time", at };
      case "interval": {
        const bound = (one: Expression): Operand => this.#of(["time"], this.#operand(one)).operand;
        return { operand: this.#constants.interval(expression, bound), type: "interval", at };
      }
      case "geometry":
        return { operand: this.#constants.geometry(expression.value, at), type: "geometry", at };
      case "bbox":
        return { operand: this.#constants.bbox(expression.numbers, at), type: "geometry", at };
      case "array":
        return {
          operand: { array: expression.entries.map((entry) => this.#operand(entry).operand) },
          type: "list",
          at,
        };
      case "operation":
        return this.#operation(expression);
    }
  }

  #operation(expression: Extract<Expression, { kind: "operation" }>): Bound {
    const { op, args, at } = expression;
    const operator = findOperator(op);
    switch (operator?.kind) {
      case undefined:
        return this.#function(expression);
      case "casei":
      case "accenti": {
        const { operand } = this.#of(["text"], this.#operand(this.#only(op, args, at)));
        return { operand: operator.kind === "casei" ? { casei: operand } : { accenti: operand }, type: "text", at };
      }
      case "arithmetic":
        return {
          operand: { arithmetic: operator.operator, ...this.#sides(op, args, at, ["number"]) },
          type: "number",
          at,
        };
      default:
        return { operand: { filter: this.filter(expression) }, type: "truth value", at };
    }
  }

  #function({ op, args, at }: Extract<Expression, { kind: "operation" }>): Bound {
    if (this.#queryables !== undefined) {
      throw this.#fault(at, `Unknown function ${shown(op)}: only those of CQL2 itself are served.`);
    }
    return { operand: { function: op, args: args.map((arg) => this.#operand(arg).operand) }, type: undefined, at };
  }

  #property({ name, isQuoted }: Extract<Expression, { kind: "property" }>, at: At): Bound {
    if (this.#queryables === undefined) {
      return { operand: { property: name.replace(/^properties\.(?=.)/, "") }, type: undefined, at };
    }
    const queryable = findQueryable(name, this.#queryables);
    if (queryable !== undefined) {
      return { operand: { property: queryable.name }, type: TYPES[queryable.kind], at, queryable };
    }
    const known = Object.keys(this.#queryables);
    const quotes = isQuoted ? " (double quotes are for names, text is in single quotes)" : "";
    const message = `Unknown property ${shown(name)}${quotes}. Expected one of ${known.join(", ")}.`;
    throw this.#fault(at, message, { unknown: { given: name, known } });
  }

  #pattern(expression: Expression): Pattern {
    if (expression.kind === "literal" && typeof expression.value === "string") return expression.value;
    if (expression.kind === "operation") {
      const kind = findOperator(expression.op)?.kind;
      if (kind === "casei" || kind === "accenti") {
        const inner = this.#pattern(this.#only(expression.op, expression.args, expression.at));
        return kind === "casei" ? { casei: inner } : { accenti: inner };
      }
    }
    throw this.#fault(expression.at, `Expected a pattern as text, got ${nameOf(expression)}.`);
  }

  /** Two operands of one of the types. */
  #sides(
    op: string,
    args: readonly Expression[],
    at: At,
    types: readonly ValueType[],
  ): { readonly left: Operand; readonly right: Operand } {
    const [left, right] = this.#two(op, args, at).map((arg) => this.#of(types, this.#operand(arg)).operand);
    return { left: left as Operand, right: right as Operand };
  }

  #scalar(expression: Expression): Bound {
    const bound = this.#of(SCALARS, this.#operand(expression));
    if ("filter" in bound.operand) throw this.#fault(bound.at, "Expected a value, got a condition.");
    return bound;
  }

  /** The operand where it is of one of the types, also text that is written as a time where times are expected. */
  #of(types: readonly ValueType[], bound: Bound): Bound {
    if (bound.type === undefined || types.includes(bound.type)) return bound;
    const time = types.includes("time") ? asTime(bound) : undefined;
    if (time !== undefined) return time;
    const list = bound.type === "list" ? ": see A_CONTAINS, A_CONTAINEDBY, A_EQUALS and A_OVERLAPS" : "";
    throw this.#fault(bound.at, `Expected ${types.map(phrase).join(" or ")}, got ${phrase(bound.type)}${list}.`);
  }

  /** Operands that are compared with the first one, as its type has them. */
  #alike(first: Bound, others: readonly Bound[]): [first: Operand, ...others: Operand[]] {
    const known = [first, ...others].find(({ queryable }) => queryable !== undefined) ?? first;
    const all = [first, ...others].map((bound) => converted(bound, known));
    const typed = all.find(({ type }) => type !== undefined);
    for (const { type, at } of all) {
      if (type !== undefined && type !== typed?.type) {
        throw this.#fault(at, `Comparison of different types: ${phrase(typed?.type)} with ${phrase(type)}.`);
      }
    }
    const [operand, ...rest] = all.map((bound) => bound.operand);
    return [operand as Operand, ...rest];
  }

  #only(op: string, args: readonly Expression[], at: At): Expression {
    const [arg, ...others] = args;
    if (arg === undefined || others.length > 0) throw this.#count(op, "one", args.length, at);
    return arg;
  }

  #two(op: string, args: readonly Expression[], at: At): [Expression, Expression] {
    const [left, right, ...others] = args;
    if (left === undefined || right === undefined || others.length > 0) throw this.#count(op, "two", args.length, at);
    return [left, right];
  }

  #count(op: string, expected: string, count: number, at: At): Error {
    return this.#fault(at, `Expected ${expected} argument${expected === "one" ? "" : "s"} of ${op}, got ${count}.`);
  }
}

/** A constant as the property has it that it is compared with: text as a time, digits with their leading zeros. */
function converted(bound: Bound, { queryable, type }: Bound): Bound {
  if (queryable === undefined || !("literal" in bound.operand)) return bound;
  if (type === "time") return asTime(bound) ?? bound;
  const digits = String(bound.operand.literal);
  if (queryable.pad === undefined || !/^\d+$/.test(digits)) return bound;
  return { ...bound, operand: { literal: digits.padStart(queryable.pad, "0") }, type: "text" };
}

function asTime(bound: Bound): Bound | undefined {
  const text = "literal" in bound.operand ? bound.operand.literal : undefined;
  const time = typeof text === "string" ? findTime(text) : undefined;
  return time === undefined ? undefined : { ...bound, operand: time, type: "time" };
}

function phrase(type: ValueType): string {
  if (type === undefined || type === "text") return type ?? "a value";
  return `${type === "interval" ? "an" : "a"} ${type}`;
}

function typeOf(value: string | number | boolean): ValueType {
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "number" : "truth value";
}

function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case "property":
      return `the property ${shown(expression.name)}`;
    case "literal":
      return shown(expression.value);
    case "array":
      return "a list";
    case "operation":
      if (findOperator(expression.op)?.kind === "arithmetic") return "a calculation";
      return `"${expression.op.slice(0, 40)}"`;
    default:
      return `a ${expression.kind}`;
  }
}
