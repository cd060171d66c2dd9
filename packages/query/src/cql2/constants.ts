import { type Geometry, overlappingEdges, type Position, toShape } from "@swath/geometry";
import { QueryError } from "../errors.ts";
import type { IntervalBound, Operand } from "../filter.ts";
import { type InputLocation, shown } from "../input-location.ts";
import { compareInstants, findDay, findInstant, type Instant } from "../instant.ts";
import { parseBbox } from "../parameters/bbox.ts";
import { MAX_VERTICES, readGeometry } from "../parameters/intersects.ts";
import type { At, Expression, Fault } from "./expression.ts";
import { MAX_OVERLAPPING_EDGES, MAX_RELATED_VERTICES } from "./limits.ts";

/** Positions of the ring of a box. */
const BOX_VERTICES = 5;

/** Reads the constants of a filter: dates, timestamps, intervals, geometries and boxes. */
export class Constants {
  readonly #fault: Fault;
  readonly #rings: "simple" | "any";
  #vertices = 0;
  #related = 0;

  /** @param rings whether polygons whose rings cross or touch themselves are refused */
  constructor(fault: Fault, rings: "simple" | "any") {
    this.#fault = fault;
    this.#rings = rings;
  }

  time(text: string, at: At, expected: "date" | "timestamp" | "time"): Operand {
    const time = findTime(text);
    const kind = time !== undefined && "date" in time ? "date" : "timestamp";
    if (time !== undefined && (expected === "time" || expected === kind)) return time;
    const forms = { date: "a date", timestamp: "a date-time with Z", time: "a date or a date-time with Z" };
    throw this.#fault(at, `Expected ${forms[expected]} (RFC 3339), got ${shown(text)}.`);
  }

  interval(
    { bounds, at }: Extract<Expression, { kind: "interval" }>,
    operand: (bound: Expression) => Operand,
  ): Operand {
    const [first, second, ...others] = bounds;
    if (first === undefined || second === undefined || others.length > 0) {
      throw this.#fault(at, `Expected an interval of two times, got ${bounds.length}.`);
    }
    const boundOf = (bound: Expression): IntervalBound => {
      if (bound.kind !== "literal") return operand(bound);
      return bound.value === ".." ? ".." : this.time(String(bound.value), bound.at, "time");
    };
    const [start, end] = [boundOf(first), boundOf(second)];
    const [from, to] = [firstInstant(start), lastInstant(end)];
    if (from !== undefined && to !== undefined && compareInstants(from, to) > 0) {
      throw this.#fault(at, "The interval ends before it starts.");
    }
    return { interval: [start, end] };
  }

  geometry(value: unknown, at: At): Operand {
    const geometry = this.#reading(at, (location) => readGeometry(value, location, this.#rings));
    this.#vertices += countPositions(geometry);
    if (this.#vertices > MAX_VERTICES) {
      throw this.#fault(at, `The geometries of a filter may have ${MAX_VERTICES} vertices at most.`);
    }
    return { geometry };
  }

  /**
   * Refuses relations that would take long to find out for every item. A box, and a footprint that is compared with one or
   * with itself, counts as a box.
   */
  related(sides: readonly [Operand, Operand], at: readonly [At, At]): void {
    const counts = sides.map((side) => ("geometry" in side ? countPositions(side.geometry) : BOX_VERTICES));
    this.#related += Math.max(...counts);
    const largest = at[counts[0]! < counts[1]! ? 1 : 0];
    const limit = `In functions other than S_INTERSECTS and S_DISJOINT the geometries of a filter may have`;
    if (this.#related > MAX_RELATED_VERTICES) {
      throw this.#fault(largest, `${limit} ${MAX_RELATED_VERTICES} vertices together at most, got ${this.#related}.`);
    }
    for (const [i, side] of sides.entries()) {
      const pairs = "geometry" in side ? overlappingEdges(toShape(side.geometry)) : 0;
      if (pairs > MAX_OVERLAPPING_EDGES) {
        throw this.#fault(at[i]!, `${limit} no polygons that overlap with so many edges.`);
      }
    }
  }

  bbox(numbers: readonly unknown[], at: At): Operand {
    const inner = typeof at === "string" ? `${at}/bbox` : at;
    const [west, south, east, north] = this.#reading(inner, (location) => parseBbox(numbers, location));
    const heights = numbers.length === 6 ? [numbers[2] as number, numbers[5] as number] : undefined;
    if (heights === undefined) return { bbox: [west, south, east, north] };
    return { bbox: [west, south, heights[0] ?? 0, east, north, heights[1] ?? 0] };
  }

  /** Runs a reader of another parameter and turns its error into one of the filter. */
  #reading<T>(at: At, read: (location: InputLocation) => T): T {
    try {
      return read({ in: "body", pointer: typeof at === "string" ? at : "" });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      throw this.#fault(typeof at === "string" ? error.pointer : at, error.message);
    }
  }
}

/** A date or a timestamp; `undefined` for any other text. Digits beyond nanoseconds are dropped. */
export function findTime(text: string): { readonly instant: Instant } | { readonly date: string } | undefined {
  if (findDay(text) !== undefined) return { date: text };
  const instant = findInstant(text.replace(/(\.\d{9})\d+/, "$1"));
  return instant === undefined ? undefined : { instant: shortest(instant) };
}

/** The instant without zeros at the end of its fraction: a constant means a moment, however it is written. */
function shortest({ nanoseconds, digits }: Instant): Instant {
  let [fewest, unit] = [digits, 10n ** BigInt(10 - digits)];
  while (fewest > 0 && nanoseconds % unit === 0n) {
    fewest -= 1;
    unit *= 10n;
  }
  return { nanoseconds, digits: fewest };
}

function firstInstant(bound: IntervalBound): Instant | undefined {
  if (bound === "..") return undefined;
  if ("date" in bound) return findDay(bound.date)?.start;
  return "instant" in bound ? bound.instant : undefined;
}

function lastInstant(bound: IntervalBound): Instant | undefined {
  if (bound === "..") return undefined;
  if ("date" in bound) return findDay(bound.date)?.end;
  return "instant" in bound ? bound.instant : undefined;
}

function countPositions(geometry: Geometry): number {
  switch (geometry.type) {
    case "Point":
      return 1;
    case "MultiPoint":
    case "LineString":
      return geometry.coordinates.length;
    case "Polygon":
    case "MultiLineString":
      return sum(geometry.coordinates);
    case "MultiPolygon":
      return geometry.coordinates.reduce((total, rings) => total + sum(rings), 0);
    case "GeometryCollection":
      return geometry.geometries.reduce((total, member) => total + countPositions(member), 0);
  }
}

function sum(lines: readonly (readonly Position[])[]): number {
  return lines.reduce((total, line) => total + line.length, 0);
}
