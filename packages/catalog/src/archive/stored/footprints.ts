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
import { BoxIndex } from "./box-index.ts";
import { narrowed } from "./column.ts";
import { NumberList } from "./number-list.ts";

/** Most edges of a footprint that is kept in memory; longer ones are read from the store where they are needed. */
const MAX_EDGES = 256;
/** Prepared footprints of more edges that are kept. */
const MAX_SHAPES = 256;
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

/** Numbers of a segment: x1, y1, x2, y2. */
const SEGMENT = 4;

/** Outlines of many items in a few arrays, in the order of positions. */
interface Outlines {
  /** West, south, east, north of each item, west to east continuous; NaN without an outline. */
  readonly boxes: Float64Array;
  /** The end of the parts of each item; an item whose outline is too long has none. */
  readonly partEnds: Uint32Array;
  /** West, south, east, north of each part. */
  readonly partBoxes: Float64Array;
  readonly isArea: Uint8Array;
  /** The end of the numbers of each part in `segments`. */
  readonly segmentEnds: Uint32Array;
  readonly segments: Float64Array;
}

/** The footprints of many items: outlines ready to be compared, without an object for each. */
export class Footprints {
  readonly #outlines: Outlines;
  readonly #boxes: Float64Array;
  readonly #index: BoxIndex;
  readonly #readGeometry: (position: number) => Geometry | null;
  readonly #long = new LRUCache<number, Shape>({ max: MAX_SHAPES });

  constructor(outlines: Outlines, readGeometry: (position: number) => Geometry | null) {
    this.#outlines = outlines;
    this.#boxes = outlines.boxes;
    this.#index = new BoxIndex(outlines.boxes);
    this.#readGeometry = readGeometry;
  }

  get bytes(): number {
    const arrays: readonly ArrayBufferView[] = Object.values(this.#outlines);
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#index.bytes);
  }

  /** Lists in which all positions are whose footprints share a point with an area; none is in two of them. */
  near({ shape }: SearchArea): readonly Uint32Array[] {
    return this.#index.near(shape);
  }

  /** Narrows positions, in place, to those whose footprints share a point with an area. Boxes decide where they can. */
  narrow(positions: Uint32Array, { shape, bbox }: SearchArea): Uint32Array {
    const near = this.#withBoxAt(positions, shape);
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
  #withBoxAt(positions: Uint32Array, shape: Shape): Uint32Array {
    const boxes = this.#boxes;
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
    const { partEnds, partBoxes, isArea, segmentEnds, segments } = this.#outlines;
    const first = position === 0 ? 0 : (partEnds[position - 1] as number);
    const end = partEnds[position] as number;
    if (first === end) return this.#longShape(position);
    const parts: Shape["parts"][number][] = [];
    for (let part = first; part < end; part++) {
      const [west = 0, south = 0, east = 0, north = 0] = partBoxes.subarray(part * 4, part * 4 + 4);
      const start = part === 0 ? 0 : (segmentEnds[part - 1] as number);
      const own = segments.subarray(start, segmentEnds[part]);
      parts.push({ segments: own, isArea: isArea[part] === 1, west, south, east, north, bands: undefined });
    }
    return { parts };
  }

  #longShape(position: number): Shape {
    let shape = this.#long.get(position);
    if (shape === undefined) {
      const geometry = this.#hasBox(position) ? this.#readGeometry(position) : null;
      shape = geometry === null ? { parts: [] } : footprintShape(geometry);
      this.#long.set(position, shape);
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
  readonly #boxes = new NumberList();
  readonly #partEnds = new NumberList();
  readonly #partBoxes = new NumberList();
  readonly #isArea = new NumberList();
  readonly #segmentEnds = new NumberList();
  readonly #segments = new NumberList();

  add(geometry: Geometry | null): void {
    const shape = geometry === null ? undefined : footprintShape(geometry);
    const box = shape === undefined ? undefined : shapeBbox(shape);
    this.#boxes.push(...(box === undefined ? NO_BOX : unwrapBbox(box)));
    const edges = shape?.parts.reduce((sum, { segments }) => sum + segments.length / SEGMENT, 0) ?? 0;
    if (shape !== undefined && edges <= MAX_EDGES) {
      for (const { segments, isArea, west, south, east, north } of shape.parts) {
        this.#partBoxes.push(west, south, east, north);
        this.#isArea.push(isArea ? 1 : 0);
        this.#segments.push(...segments);
        this.#segmentEnds.push(this.#segments.length);
      }
    }
    this.#partEnds.push(this.#isArea.length);
  }

  /** @param readGeometry reads an outline that is too long to be kept. */
  build(readGeometry: (position: number) => Geometry | null): Footprints {
    const outlines: Outlines = {
      boxes: this.#boxes.take(),
      partEnds: Uint32Array.from(this.#partEnds.take()),
      partBoxes: this.#partBoxes.take(),
      isArea: Uint8Array.from(this.#isArea.take()),
      segmentEnds: Uint32Array.from(this.#segmentEnds.take()),
      segments: this.#segments.take(),
    };
    return new Footprints(outlines, readGeometry);
  }
}
