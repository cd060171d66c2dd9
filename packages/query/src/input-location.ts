import { QueryError, type QueryErrorOptions } from "./errors.ts";

/**
 * Where in the request a value is: as text of a query parameter (`pointer` is the parameter's name), or as
 * JSON in a body (`pointer` is a JSON Pointer, RFC 6901).
 */
export interface InputLocation {
  readonly in: "query" | "body";
  readonly pointer: string;
}

/** The location below `location`: one level down in a body; a query parameter has no members, so it is unchanged. */
export function below(location: InputLocation, key: string | number): InputLocation {
  if (location.in === "query") return location;
  const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
  return { in: "body", pointer: `${location.pointer}/${token}` };
}

/** The error for a value at `location`: `invalid-parameter` in a query, `invalid-body` in a body. */
export function faultAt(location: InputLocation, message: string, options?: QueryErrorOptions): QueryError {
  return new QueryError(
    location.in === "query" ? "invalid-parameter" : "invalid-body",
    location.pointer,
    message,
    options,
  );
}

/** A value as it is written in an error message: JSON, cut after 80 characters. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? `"${value.slice(0, 100)}"` : kindOf(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  return Array.isArray(value) ? "an array" : "an object";
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
