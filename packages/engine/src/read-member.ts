import { type InputLocation, QueryError } from "@swath/query";
import { type Path, Refusal } from "./refusal.ts";

/**
 * Reads a member of a request by a grammar of `@swath/query`.
 *
 * @throws {Refusal} `invalid` with the place below `path` that the grammar names.
 */
export function readMember<T>(path: Path, read: (location: InputLocation) => T): T {
  try {
    return read({ in: "body", pointer: "" });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const below = error.pointer.split("/").slice(1).map(unescaped);
    throw new Refusal("invalid", memberOf(path, ...below), error.message, { cause: error });
  }
}

/** A part of a JSON Pointer as a name (RFC 6901, section 4). */
const unescaped = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** The path of a member; what belongs to a node of a process graph is an argument of any process, and the node is named as a whole. */
export const memberOf = (path: Path, ...names: Path): Path =>
  path[0] === "what" && path[1] === "graph" ? path : [...path, ...names];
