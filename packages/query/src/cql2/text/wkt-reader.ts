import { MAX_VERTICES } from "../../parameters/intersects.ts";
import { TOO_DEEP } from "../expression.ts";
import type { Tokens } from "./tokens.ts";

/** The words of WKT and the GeoJSON types they stand for. */
const TYPES: Readonly<Record<string, string>> = {
  POINT: "Point",
  LINESTRING: "LineString",
  POLYGON: "Polygon",
  MULTIPOINT: "MultiPoint",
  MULTILINESTRING: "MultiLineString",
  MULTIPOLYGON: "MultiPolygon",
  GEOMETRYCOLLECTION: "GeometryCollection",
};

/** The deepest nesting of geometry collections. */
const MAX_COLLECTIONS = 8;

/** Whether the current word starts a geometry: a type of WKT, then `(`, `Z` or `EMPTY`. */
export function startsGeometry(tokens: Tokens): boolean {
  return Object.hasOwn(TYPES, tokens.current.word) && tokens.opensNextGeometry;
}

/**
 * Reads WKT (OGC 06-103r4, 7) from its type on as GeoJSON, which is checked later. Positions are two or three numbers,
 * with or without the word Z. The points of a MULTIPOINT may be without parentheses.
 */
export class WktReader {
  readonly #tokens: Tokens;
  #vertices = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  geometry(depth = 0): unknown {
    const tokens = this.#tokens;
    if (!Object.hasOwn(TYPES, tokens.current.word)) throw tokens.expected("a geometry");
    if (depth > MAX_COLLECTIONS) throw tokens.fault(tokens.current.at, TOO_DEEP);
    const type = TYPES[tokens.take().word] ?? "";
    if (tokens.isWord("Z")) tokens.take();
    if (tokens.isWord("EMPTY")) throw tokens.fault(tokens.current.at, "A geometry has at least one position.");
    if (type === "GeometryCollection") return { type, geometries: this.#list(() => this.geometry(depth + 1)) };
    return { type, coordinates: this.#coordinates(type) };
  }

  #coordinates(type: string): unknown {
    switch (type) {
      case "Point": {
        this.#tokens.takeSign("(");
        const position = this.#position();
        this.#tokens.takeSign(")");
        return position;
      }
      case "MultiPoint":
        return this.#list(() => (this.#tokens.isSign("(") ? this.#coordinates("Point") : this.#position()));
      case "LineString":
        return this.#positions();
      case "Polygon":
      case "MultiLineString":
        return this.#list(() => this.#positions());
      default:
        return this.#list(() => this.#list(() => this.#positions()));
    }
  }

  #positions(): number[][] {
    return this.#list(() => this.#position());
  }

  #position(): number[] {
    this.#vertices += 1;
    if (this.#vertices > MAX_VERTICES) {
      throw this.#tokens.fault(this.#tokens.current.at, `A geometry may have ${MAX_VERTICES} vertices at most.`);
    }
    const position = [readNumber(this.#tokens), readNumber(this.#tokens)];
    if (!this.#tokens.isSign(",", ")")) position.push(readNumber(this.#tokens));
    return position;
  }

  #list<T>(read: () => T): T[] {
    this.#tokens.takeSign("(");
    const entries = [read()];
    while (this.#tokens.isSign(",")) {
      this.#tokens.take();
      entries.push(read());
    }
    this.#tokens.takeSign(")");
    return entries;
  }
}

/** A number with or without a sign. */
export function readNumber(tokens: Tokens): number {
  const sign = tokens.isSign("+", "-") ? tokens.take().value : "+";
  if (tokens.current.kind !== "number") throw tokens.expected("a number");
  const number = Number(tokens.take().value);
  return sign === "-" ? -number : number;
}
