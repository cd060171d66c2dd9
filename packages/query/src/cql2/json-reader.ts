import { isObject, shown } from "../input-location.ts";
import { type Expression, Expressions, type Fault, TOO_DEEP } from "./expression.ts";
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH } from "./limits.ts";

/** Reads a filter as CQL2 JSON (OGC 21-065r2, annex C: cql2.json). Positions are JSON Pointers from the filter on. */
export class JsonReader {
  readonly #make: Expressions;
  readonly #fault: Fault;
  #length = 0;

  constructor(fault: Fault) {
    this.#fault = fault;
    this.#make = new Expressions(fault);
  }

  read(value: unknown, at = "", depth = 1): Expression {
    if (depth > MAX_FILTER_DEPTH) throw this.#fault(at, TOO_DEEP);
    if (typeof value === "string") return this.#make.literal(this.#text(value, at), at);
    if (typeof value === "number" || typeof value === "boolean") return this.#make.literal(value, at);
    if (Array.isArray(value)) {
      return this.#make.array(
        value.map((entry, i) => this.read(entry, `${at}/${i}`, depth + 1)),
        at,
      );
    }
    if (!isObject(value)) throw this.#fault(at, `Expected a condition or a value, got ${shown(value)}.`);
    if ("op" in value) return this.#operation(value, at, depth);
    if ("property" in value) {
      const name = this.#onlyMember(value, "property", at);
      if (typeof name !== "string" || name === "") {
        throw this.#fault(`${at}/property`, `Expected the name of a property, got ${shown(name)}.`);
      }
      return this.#make.property(this.#text(name, at), at);
    }
    if ("date" in value) return this.#time("date", value, at);
    if ("timestamp" in value) return this.#time("timestamp", value, at);
    if ("interval" in value) {
      const bounds = this.#onlyMember(value, "interval", at);
      if (!Array.isArray(bounds)) throw this.#fault(`${at}/interval`, `Expected two times, got ${shown(bounds)}.`);
      return this.#make.interval(
        bounds.map((bound, i) => this.read(bound, `${at}/interval/${i}`, depth + 1)),
        at,
      );
    }
    if ("type" in value) return this.#make.geometry(value, at);
    if ("bbox" in value) {
      const numbers = this.#onlyMember(value, "bbox", at);
      if (!Array.isArray(numbers)) throw this.#fault(`${at}/bbox`, `Expected 4 or 6 numbers, got ${shown(numbers)}.`);
      return this.#make.bbox(numbers, at);
    }
    const members = "op, property, date, timestamp, interval, bbox or type";
    throw this.#fault(at, `Expected an object with one of ${members}.`);
  }

  #operation(value: Readonly<Record<string, unknown>>, at: string, depth: number): Expression {
    const { op, args, ...others } = value;
    this.#refuseOthers(others, at);
    if (typeof op !== "string" || op === "") throw this.#fault(`${at}/op`, `Expected an operator, got ${shown(op)}.`);
    if (!Array.isArray(args)) throw this.#fault(`${at}/args`, `Expected an array, got ${shown(args)}.`);
    const read = args.map((arg, i) => this.read(arg, `${at}/args/${i}`, depth + 1));
    return this.#make.operation(this.#text(op, at), read, at);
  }

  #time(kind: "date" | "timestamp", value: Readonly<Record<string, unknown>>, at: string): Expression {
    const text = this.#onlyMember(value, kind, at);
    if (typeof text !== "string") throw this.#fault(`${at}/${kind}`, `Expected text, got ${shown(text)}.`);
    return this.#make.time(kind, text, at);
  }

  #onlyMember(value: Readonly<Record<string, unknown>>, name: string, at: string): unknown {
    const { [name]: member, ...others } = value;
    this.#refuseOthers(others, at);
    return member;
  }

  #refuseOthers(others: Readonly<Record<string, unknown>>, at: string): void {
    const [other] = Object.keys(others);
    if (other === undefined) return;
    const token = other.replaceAll("~", "~0").replaceAll("/", "~1");
    throw this.#fault(`${at}/${token}`, `Unknown member ${shown(other)}.`);
  }

  #text(text: string, at: string): string {
    this.#length += text.length;
    if (this.#length > MAX_FILTER_LENGTH) {
      throw this.#fault(at, `The texts of a filter may have ${MAX_FILTER_LENGTH} characters at most.`);
    }
    return text;
  }
}
