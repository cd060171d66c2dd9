import { QueryError, type QueryErrorOptions } from "./errors.ts";

/**
 * The place of a value in the request: as text of a query parameter (`pointer` is the parameter's name), or as JSON in
 * a body (`pointer` is a JSON Pointer, RFC 6901).
 */
export interface InputLocation {
  readonly in: "query" | "body";
  readonly pointer: string;
  /** In JSON of a query parameter: the JSON Pointer from the parameter's value on. */
  readonly member?: string;
}

/** The location of the JSON value that a query parameter is the text of: what is below it has names. */
export function insideJson(location: InputLocation): InputLocation {
  return location.in === "query" ? { ...location, member: "" } : location;
}

/** The location below `location`: one level down in JSON; other text of a query parameter has no members. */
export function below(location: InputLocation, key: string | number): InputLocation {
  const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
  if (location.in === "body") return { in: "body", pointer: `${location.pointer}/${token}` };
  return location.member === undefined ? location : { ...location, member: `${location.member}/${token}` };
}

/**
 * The error for a value at `location`: `invalid-parameter` in a query, `invalid-body` in a body. The pointer of a query
 * parameter cannot say where in its JSON the fault is, so the message does.
 */
export function faultAt(location: InputLocation, message: string, options?: QueryErrorOptions): QueryError {
  return new QueryError(
    location.in === "query" ? "invalid-parameter" : "invalid-body",
    location.pointer,
    location.member === undefined || location.member === "" ? message : `${location.member}: ${message}`,
    options,
  );
}

/** The most entries of an array that are shown one by one. */
const MAX_SHOWN_ENTRIES = 6;

/** A value as it is written in an error message: JSON, cut after 80 characters; what is long or nested only counted. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? `"${value.slice(0, 100)}"` : kindOf(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return "an object";
  const isShort =
    value.length <= MAX_SHOWN_ENTRIES && value.every((entry) => entry === null || typeof entry !== "object");
  return isShort ? `[${value.map(shown).join(", ")}]` : `an array of ${counted(value.length, "entry", "entries")}`;
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON text of a query parameter as a value. */
export function jsonOf(text: string, location: InputLocation): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw faultAt(location, `Expected JSON, got ${shown(text)}.`, { cause });
  }
}
