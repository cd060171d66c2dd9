import { QueryError } from "../errors.ts";
import type { Filter } from "../filter.ts";
import { type InputLocation, jsonOf, shown } from "../input-location.ts";
import type { Queryables } from "../queryables.ts";
import { Binder } from "./binder.ts";
import type { Fault } from "./expression.ts";
import { JsonReader } from "./json-reader.ts";
import { MAX_FILTER_LENGTH } from "./limits.ts";
import { TextParser } from "./text/text-parser.ts";

/** The encodings of CQL2, as `filter-lang` names them. */
export const FILTER_LANGUAGES = ["cql2-text", "cql2-json"] as const;
/** Name of an encoding of CQL2. */
export type FilterLanguage = (typeof FILTER_LANGUAGES)[number];

/** The names that a filter may use, and where the filter came from. */
export interface Cql2Options {
  /**
   * The properties that may be named, with or without `properties.`. Then types are checked too, polygons have to be
   * simple, text that is compared with a time is read as a time, and functions other than those of CQL2 are refused.
   * By default any name, type and function is taken.
   */
  readonly queryables?: Queryables;
  /** The parameter or member that the filter is in. Default the parameter `filter`. */
  readonly location?: InputLocation;
}

/** A condition in CQL2 JSON. */
const EXAMPLE = '{"op": "<", "args": [{"property": "eo:cloud_cover"}, 20]}';

const PARAMETER: InputLocation = { in: "query", pointer: "filter" };

/**
 * Reads a filter in CQL2 text (OGC 21-065r2).
 *
 * @throws {QueryError} with code `invalid-filter`, and the position of the character (from 1) in `position` and in the
 *   message: for a syntax error, an unknown property or function, a comparison of different types, a constant that is
 *   not what it claims to be, more than `MAX_FILTER_LENGTH` characters, `MAX_FILTER_NODES` conditions and values,
 *   `MAX_FILTER_DEPTH` levels or `MAX_VERTICES` vertices.
 * @example parseCql2Text("eo:cloud_cover < 20 AND S_INTERSECTS(geometry, BBOX(5, 45, 6, 46))", { queryables })
 */
export function parseCql2Text(text: string, { queryables, location = PARAMETER }: Cql2Options = {}): Filter {
  const fault: Fault = (at, message, options) => {
    const position = typeof at === "number" ? at + 1 : 1;
    const placed = `${message.replace(/\.$/, "")} (character ${position}).`;
    return new QueryError("invalid-filter", location.pointer, placed, { ...options, position });
  };
  if (text.length > MAX_FILTER_LENGTH) {
    throw fault(MAX_FILTER_LENGTH, `A filter may have ${MAX_FILTER_LENGTH} characters at most.`);
  }
  return new Binder(fault, queryables).filter(new TextParser(text, fault).parse());
}

/**
 * Reads a filter in CQL2 JSON (OGC 21-065r2, cql2.json) that is a value already.
 *
 * @throws {QueryError} with code `invalid-filter` for what `parseCql2Text` refuses too. In a body `pointer` is the JSON
 *   Pointer of the part; in a parameter it is the parameter's name and the message ends with the JSON Pointer.
 */
export function parseCql2Json(value: unknown, { queryables, location = PARAMETER }: Cql2Options = {}): Filter {
  const fault: Fault = (at, message, options) => {
    if (location.in === "body") return new QueryError("invalid-filter", `${location.pointer}${at}`, message, options);
    const placed = at === "" ? message : `${message.replace(/\.$/, "")} (at ${at}).`;
    return new QueryError("invalid-filter", location.pointer, placed, options);
  };
  return new Binder(fault, queryables).filter(new JsonReader(fault).read(value));
}

/**
 * Reads a filter as a request has it: text in either encoding in a query, CQL2 JSON as a value in a body.
 *
 * @param language default the one that goes with the location: `cql2-text` in a query, `cql2-json` in a body
 * @throws {QueryError} with code `invalid-filter`
 */
export function parseFilter(
  input: unknown,
  options: Cql2Options & { readonly language?: FilterLanguage } = {},
): Filter {
  const { location = PARAMETER, language = location.in === "query" ? "cql2-text" : "cql2-json" } = options;
  const fault = (message: string, cause?: unknown): QueryError =>
    new QueryError("invalid-filter", location.pointer, message, cause === undefined ? {} : { cause });
  if (location.in === "body") {
    if (language !== "cql2-json") throw fault("A filter in a body is CQL2 JSON.");
    if (typeof input === "string") throw fault(`Expected CQL2 JSON, as in ${EXAMPLE}, got the text ${shown(input)}.`);
    return parseCql2Json(input, options);
  }
  if (typeof input !== "string") throw fault(`Expected text, got ${shown(input)}.`);
  const position = /^\s*\{/.exec(input)?.[0].length;
  if (language === "cql2-text" && position !== undefined) {
    const detail = `Unexpected character "{": CQL2 JSON is sent with filter-lang=cql2-json (character ${position}).`;
    throw new QueryError("invalid-filter", location.pointer, detail, { position });
  }
  if (language === "cql2-text") return parseCql2Text(input, options);
  if (input.length > MAX_FILTER_LENGTH) throw fault(`A filter may have ${MAX_FILTER_LENGTH} characters at most.`);
  try {
    return parseCql2Json(jsonOf(input, location), options);
  } catch (error) {
    if (error instanceof QueryError && error.code !== "invalid-filter") throw fault(error.message, error.cause);
    throw error;
  }
}
