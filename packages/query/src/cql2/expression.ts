import type { QueryError, QueryErrorOptions } from "../errors.ts";
import { MAX_FILTER_DEPTH, MAX_FILTER_NODES } from "./limits.ts";

/** The position of an expression: a character from 0 in text, a JSON Pointer in JSON. */
export type At = number | string;

/** Makes the error for what is written at a position. */
export type Fault = (at: At, message: string, options?: QueryErrorOptions) => QueryError;

/**
 * The form that both encodings are read into before the meaning of names is known: the shape of CQL2 JSON with the
 * position of each part. `depth` is 1 without parts.
 */
export type Expression = { readonly at: At; readonly depth: number } & (
  | { readonly kind: "operation"; readonly op: string; readonly args: readonly Expression[] }
  | { readonly kind: "property"; readonly name: string /** In text, in double quotes. */; readonly isQuoted: boolean }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly entries: readonly Expression[] }
  | { readonly kind: "date" | "timestamp"; readonly text: string }
  | { readonly kind: "interval"; readonly bounds: readonly Expression[] }
  /** A GeoJSON geometry, not yet checked. */
  | { readonly kind: "geometry"; readonly value: unknown }
  | { readonly kind: "bbox"; readonly numbers: readonly unknown[] }
);

/** Makes expressions and counts them, so that a filter that is too large or too deep is refused while it is read. */
export class Expressions {
  readonly #fault: Fault;
  #count = 0;

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  operation(op: string, args: readonly Expression[], at: At): Expression {
    return { kind: "operation", op, args, at, depth: this.#admit(at, args) };
  }

  property(name: string, at: At, isQuoted = false): Expression {
    return { kind: "property", name, isQuoted, at, depth: this.#admit(at) };
  }

  literal(value: string | number | boolean, at: At): Expression {
    if (typeof value === "number" && !Number.isFinite(value)) throw this.#fault(at, "The number is out of range.");
    return { kind: "literal", value, at, depth: this.#admit(at) };
  }

  array(entries: readonly Expression[], at: At): Expression {
    return { kind: "array", entries, at, depth: this.#admit(at, entries) };
  }

  time(kind: "date" | "timestamp", text: string, at: At): Expression {
    return { kind, text, at, depth: this.#admit(at) };
  }

  interval(bounds: readonly Expression[], at: At): Expression {
    return { kind: "interval", bounds, at, depth: this.#admit(at, bounds) };
  }

  geometry(value: unknown, at: At): Expression {
    return { kind: "geometry", value, at, depth: this.#admit(at) };
  }

  bbox(numbers: readonly unknown[], at: At): Expression {
    return { kind: "bbox", numbers, at, depth: this.#admit(at) };
  }

  /** The depth of an expression over its parts. */
  #admit(at: At, parts: readonly Expression[] = []): number {
    this.#count += 1;
    if (this.#count > MAX_FILTER_NODES) {
      throw this.#fault(at, `A filter may have ${MAX_FILTER_NODES} conditions and values at most.`);
    }
    const depth = parts.reduce((most, part) => Math.max(most, part.depth), 0) + 1;
    if (depth > MAX_FILTER_DEPTH) throw this.#fault(at, TOO_DEEP);
    return depth;
  }
}

export const TOO_DEEP = `A filter may be nested ${MAX_FILTER_DEPTH} deep at most.`;
