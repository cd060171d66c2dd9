import {
  type Bbox,
  bboxGeometry,
  bboxShape,
  boundsRing,
  type Geometry,
  type Shape,
  shapeBbox,
  splitBbox,
  toShape,
} from "@swath/geometry";
import type { UpstreamKindFile } from "@swath/schema/files";

/** The area of a search: at most one of both. */
export interface SearchedArea {
  readonly bbox?: Bbox | undefined;
  readonly intersects?: Geometry | undefined;
}

/**
 * The requests to an upstream for an area: the answers to all of them together hold every match, and may hold others.
 */
export interface AreaRequests {
  /** Members of the bodies of the requests. */
  readonly requests: readonly SearchedArea[];
  /** Whether they say just the area. */
  readonly isExact: boolean;
}

const DEGREES = Math.PI / 180;
/** Footprints are no wider than this, in degrees at the equator: some 330 km. */
const WIDEST = 3;

/** Returns the most degrees of longitude that a footprint covers between two latitudes. */
function reach([, south, , north]: Bbox): number {
  const farthest = Math.min(89, Math.max(Math.abs(south), Math.abs(north)));
  return Math.min(90, WIDEST / Math.cos(farthest * DEGREES));
}

/** Whether footprints that touch an area may cross 180 degrees. */
export function isNearAntimeridian(shape: Shape): boolean {
  const box = shapeBbox(shape);
  if (box === undefined) return false;
  const width = reach(box);
  return box[0] > box[2] || box[0] <= width - 180 || box[2] >= 180 - width;
}

/**
 * The requests for an area. Near 180 degrees an upstream that compares longitudes as they are written is asked for more:
 * for the whole strips on both sides, which footprints that are written the wrong way round the world end at, and for what
 * lies beyond ±180, where others run on. What comes too much is dropped here.
 */
export function areaRequests(area: SearchedArea, { intersects, longitudes }: UpstreamKindFile["area"]): AreaRequests {
  const { bbox } = area;
  if (bbox === undefined && area.intersects === undefined) return { requests: [{}], isExact: true };
  const box = bboxOf(area);
  if (box === undefined) return { requests: [area], isExact: true };
  if (longitudes === "plane" && isNearAntimeridian(bboxShape(box)) && !isAround(box)) {
    if (!intersects) return boxRequests(area, { intersects, longitudes });
    return { requests: [{ intersects: strips(box) }], isExact: false };
  }
  if (!intersects) return boxRequests(area, { intersects, longitudes });
  // a box across the antimeridian is sent as two polygons: upstreams refuse or misread west > east
  if (bbox !== undefined && bbox[0] > bbox[2]) return { requests: [{ intersects: bboxGeometry(bbox) }], isExact: true };
  return { requests: [area], isExact: true };
}

/** The requests for the boxes of an area, none of which goes beyond 180 degrees. */
export function boxRequests(area: SearchedArea, { longitudes, margin = 0 }: UpstreamKindFile["area"]): AreaRequests {
  const box = bboxOf(area);
  if (box === undefined) return { requests: [area], isExact: true };
  const isWidened = longitudes === "plane" && isNearAntimeridian(bboxShape(box)) && !isAround(box);
  const [, south, , north] = box;
  const width = reach(box);
  const boxes = isWidened
    ? [...splitBbox(box), [180 - width, south, 180, north] as const, [-180, south, width - 180, north] as const]
    : splitBbox(box);
  // some upstreams do not take a box without an area
  const isThin = boxes.some(([west, low, east, high]) => west === east || low === high);
  const by = Math.max(margin, isThin ? THIN : 0);
  return {
    requests: joined(boxes.map((each) => widened(each, by))).map((bbox) => ({ bbox })),
    isExact: area.bbox !== undefined && !isWidened && by === 0 && boxes.length === 1,
  };
}

/** Degrees by which a box without an area is made larger. */
const THIN = 1e-5;

function widened([west, south, east, north]: Bbox, by: number): Bbox {
  return [Math.max(-180, west - by), Math.max(-90, south - by), Math.min(180, east + by), Math.min(90, north + by)];
}

function bboxOf({ bbox, intersects }: SearchedArea): Bbox | undefined {
  return bbox ?? (intersects && shapeBbox(toShape(intersects)));
}

/** Whether a box leaves no gap that a footprint could lie in. */
function isAround(box: Bbox): boolean {
  return box[0] <= box[2] && 360 - (box[2] - box[0]) < 2 * reach(box);
}

/** The box with the strips on both sides of 180 degrees, as far as footprints reach, and beyond it. */
function strips(box: Bbox): Geometry {
  const [, south, , north] = box;
  const width = reach(box);
  const boxes: Bbox[] = [
    ...splitBbox(box).filter(([west, , east]) => west < 180 - width && east > width - 180),
    [180 - width, south, 180 + width, north],
    [-180 - width, south, width - 180, north],
  ];
  return { type: "MultiPolygon", coordinates: boxes.map((each) => [boundsRing(each)]) };
}

/** Boxes of the same latitudes, those that overlap as one. */
function joined(boxes: readonly Bbox[]): Bbox[] {
  const found: Bbox[] = [];
  for (const [west, south, east, north] of [...boxes].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last === undefined || last[2] < west) found.push([west, south, east, north]);
    else found[found.length - 1] = [last[0], south, Math.max(last[2], east), north];
  }
  return found;
}
