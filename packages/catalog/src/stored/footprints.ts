import {
  type Bbox,
  footprintShape,
  type Geometry,
  type Shape,
  shapeBbox,
  shapesIntersect,
  unwrapBbox,
  wrapBbox,
} from "@swath/geometry";
import { LRUCache } from "lru-cache";
import { narrowed } from "./column.ts";

/** Longest footprint that is kept in memory, bytes of JSON; longer ones are read from the store where they are needed. */
const MAX_KEPT_BYTES = 8192;
/** Prepared footprints kept. */
const MAX_SHAPES = 4096;
/** Whole turns at which two boxes are compared: longitudes may run beyond ±180 on either side. */
const TURNS = [-720, -360, 0, 360, 720];
/** Degrees by which rounding may move an edge; the shapes decide afterwards. */
const SLACK = 1e-9;
const NO_BOX = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];

/** The area of a search. */
export interface SearchArea {
  readonly shape: Shape;
  /** The box that the shape is; absent for other shapes. */
  readonly bbox?: Bbox | undefined;
}

/** The footprints of many items: boxes in one array, outlines as JSON in one buffer, prepared where they are compared. */
export class Footprints {
  readonly #boxes: Float64Array;
  readonly #text: Uint8Array;
  readonly #ends: Float64Array;
  readonly #readGeometry: (position: number) => Geometry | null;
  readonly #shapes = new LRUCache<number, Shape>({ max: MAX_SHAPES });
  readonly #decoder = new TextDecoder();

  constructor(
    boxes: Float64Array,
    text: Uint8Array,
    ends: Float64Array,
    readGeometry: (position: number) => Geometry | null,
  ) {
    this.#boxes = boxes;
    this.#text = text;
    this.#ends = ends;
    this.#readGeometry = readGeometry;
  }

  get bytes(): number {
    return this.#boxes.byteLength + this.#text.byteLength + this.#ends.byteLength;
  }

  geometryAt(position: number): Geometry | null {
    const start = position === 0 ? 0 : (this.#ends[position - 1] as number);
    const end = this.#ends[position] as number;
    if (start === end) return this.#hasBox(position) ? this.#readGeometry(position) : null;
    return JSON.parse(this.#decoder.decode(this.#text.subarray(start, end))) as Geometry;
  }

  /** Narrows positions, in place, to those whose footprints share a point with an area. Boxes decide where they can. */
  narrow(positions: Uint32Array, { shape, bbox }: SearchArea): Uint32Array {
    const near = this.#near(positions, shape);
    const boxes = this.#boxes;
    const inner = bbox === undefined ? undefined : unwrapBbox(bbox);
    return narrowed(near, (position) => {
      const at = position * 4;
      const [west, south] = [boxes[at] as number, boxes[at + 1] as number];
      const [east, north] = [boxes[at + 2] as number, boxes[at + 3] as number];
      if (inner !== undefined && south >= inner[1] && north <= inner[3]) {
        if (TURNS.some((turn) => west + turn >= inner[0] && east + turn <= inner[2])) return true;
      }
      return shapesIntersect(this.#shapeAt(position), shape);
    });
  }

  /** Positions whose boxes meet that of a part of the shape. */
  #near(positions: Uint32Array, shape: Shape): Uint32Array {
    const boxes = this.#boxes;
    const _found = new Uint32Array(positions.length);
    let count = 0;
    // one test covers all turns: the gap from a west end to the next, less than the two widths together
    const parts = shape.parts.map(({ west, south, east, north }) => ({ west, south, width: east - west, north }));
    for (let i = 0; i < positions.length; i++) {
      const position = positions[i] as number;
      const at = position * 4;
      const [low, high] = [boxes[at + 1] as number, boxes[at + 3] as number];
      for (const part of parts) {
        if (!(low <= part.north && part.south <= high)) continue;
        const shift = turned((boxes[at] as number) - part.west);
        if (shift <= part.width + SLACK || 360 - shift <= (boxes[at + 2] as number) - (boxes[at] as number) + SLACK) {
          positions[count++] = position;
          break;
        }
      }
    }
    return positions.subarray(0, count);
  }

  /** The box around some footprints; `undefined` where none of them has an outline. */
  bboxOf(positions: Iterable<number>): Bbox | undefined {
    let [south, north] = [Infinity, -Infinity];
    const spans: [number, number][] = [];
    for (const position of positions) {
      if (!this.#hasBox(position)) continue;
      const [west = 0, low = 0, east = 0, high = 0] = this.#boxes.subarray(position * 4, position * 4 + 4);
      spans.push([west, east]);
      south = Math.min(south, low);
      north = Math.max(north, high);
    }
    const span = longitudesOf(spans);
    return span === undefined ? undefined : wrapBbox([span[0], south, span[1], north]);
  }

  #hasBox(position: number): boolean {
    return !Number.isNaN(this.#boxes[position * 4]);
  }

  #shapeAt(position: number): Shape {
    let shape = this.#shapes.get(position);
    if (shape === undefined) {
      const geometry = this.geometryAt(position);
      shape = geometry === null ? { parts: [] } : footprintShape(geometry);
      this.#shapes.set(position, shape);
    }
    return shape;
  }
}

/** A difference of longitudes as 0 to 360. */
function turned(degrees: number): number {
  return degrees - 360 * Math.floor(degrees / 360);
}

/** The shortest stretch of longitudes that holds all of some: what is outside of the widest gap between them. */
function longitudesOf(spans: [number, number][]): readonly [number, number] | undefined {
  if (spans.length === 0) return undefined;
  spans.sort((a, b) => a[0] - b[0]);
  const first = spans[0]?.[0] as number;
  let reach = -Infinity;
  let gap = 0;
  let [west, east] = [first, -Infinity];
  for (const [from, to] of spans) {
    if (from - reach > gap && reach !== -Infinity) [gap, west, east] = [from - reach, from, reach + 360];
    reach = Math.max(reach, to);
  }
  // the gap across the antimeridian, from the easternmost end to the first beginning
  if (first + 360 - reach >= gap) [west, east] = [first, reach];
  return [west, east];
}

/** Collects footprints in the order of positions. */
export class FootprintsBuilder {
  readonly #boxes: number[] = [];
  readonly #ends: number[] = [];
  readonly #encoder = new TextEncoder();
  #text = new Uint8Array(65_536);
  #length = 0;

  add(geometry: Geometry | null): void {
    const box = geometry === null ? undefined : shapeBbox(footprintShape(geometry));
    this.#boxes.push(...(box === undefined ? NO_BOX : unwrapBbox(box)));
    if (box !== undefined) {
      const bytes = this.#encoder.encode(JSON.stringify(geometry));
      if (bytes.length <= MAX_KEPT_BYTES) this.#append(bytes);
    }
    this.#ends.push(this.#length);
  }

  /** @param readGeometry reads an outline that is too long to be kept. */
  build(readGeometry: (position: number) => Geometry | null): Footprints {
    const text = this.#text.slice(0, this.#length);
    return new Footprints(Float64Array.from(this.#boxes), text, Float64Array.from(this.#ends), readGeometry);
  }

  #append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#text.length) {
      const longer = new Uint8Array((this.#length + bytes.length) * 2);
      longer.set(this.#text.subarray(0, this.#length));
      this.#text = longer;
    }
    this.#text.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}
