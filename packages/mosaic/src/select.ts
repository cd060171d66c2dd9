import {
  type Bounds,
  type FlatRing,
  flatBoundsRing,
  type PolygonGeometry,
  ringBounds,
  ringTurns,
  uniteBounds,
  unwrapBbox,
  unwrapPolygons,
  unwrapRing,
} from "@swath/geometry";
import type { Bbox } from "@swath/raster";
import { MosaicInputError } from "./errors.ts";
import { ringsOf } from "./footprint.ts";
import type { Scene } from "./scene.ts";
import { type Cuts, cutPolygons, type LineSet, lengthOf, type Spans, subtract } from "./spans.ts";

/** Lines in each direction by which areas are measured. */
const LINES = 512;

/** Default of `SelectOptions.tolerance`. */
export const COVERAGE_TOLERANCE = 1e-5;

/** Facts about a scene before it is read. */
export type Candidate = Pick<Scene, "id" | "footprint" | "bbox">;

/** Options that decide whether a scene adds area. */
export interface SelectOptions {
  /**
   * Additions of less than this share of the area count as nothing, 0..1. Default 0.00001: among recorded
   * footprints the slivers between two of the same ground are under 1e-7 of it, the smallest real addition 1e-4.
   */
  readonly tolerance?: number;
}

/** The scenes that a request is made of. */
export interface Selection<T> {
  /** The scenes to read, in the order of the candidates. */
  readonly scenes: readonly T[];
  /** True when one more scene than allowed would still add area: then `scenes` covers less than there is. */
  readonly tooMany: boolean;
  /** The number of candidates. */
  readonly matched: number;
  /** Share of the area that `scenes` cover, 0..1, by their footprints. */
  readonly covered: number;
}

/**
 * Takes candidates, in order, while they add uncovered area to the request, at most `max`.
 *
 * Areas are compared in plate carrée (square degrees). They are measured along 512 lines in each direction with exact
 * ends, and by the direction in which more lines see the addition: a sliver along one direction is measured by the
 * lines across it. No polygon is intersected with another, so that footprints that touch, repeat points, cross
 * themselves or the antimeridian are all measured in the same way, in time that depends on their number of points
 * alone. A candidate without a footprint or box is always taken and counts as covering nothing.
 *
 * @param area box or polygon in degrees; west > east, and edges of more than 180°, cross the antimeridian
 * @throws {MosaicInputError} when `area` has no finite points.
 */
export function selectScenes<T extends Candidate>(
  candidates: readonly T[],
  area: Bbox | PolygonGeometry,
  max: number,
  options: SelectOptions = {},
): Selection<T> {
  const { tolerance = COVERAGE_TOLERANCE } = options;
  const uncovered = new Uncovered(areaPolygons(area));
  const scenes: T[] = [];
  const selection = (tooMany: boolean): Selection<T> => ({
    scenes,
    tooMany,
    matched: candidates.length,
    covered: 1 - uncovered.share,
  });
  for (const candidate of candidates) {
    if (uncovered.share < tolerance) break;
    const rings = ringsOf(candidate);
    const addition = rings && uncovered.without(rings);
    if (addition !== undefined && (addition.share < tolerance || addition.share === 0)) continue;
    if (scenes.length >= max) return selection(true);
    scenes.push(candidate);
    addition?.take();
  }
  return selection(false);
}

type Pair<T> = readonly [acrossX: T, acrossY: T];

/** The part of an area that is not covered yet, measured by lines in two directions. */
class Uncovered {
  readonly #bounds: Bounds;
  readonly #lines: Pair<LineSet>;
  readonly #totals: Pair<number>;
  #remaining: Pair<Cuts>;

  constructor(polygons: readonly (readonly FlatRing[])[]) {
    const [minX, minY, maxX, maxY] = uniteBounds(polygons.flat().map(ringBounds));
    this.#bounds = [minX, minY, maxX, maxY];
    this.#lines = [
      { axis: 0, from: minX, to: maxX, count: LINES },
      { axis: 1, from: minY, to: maxY, count: LINES },
    ];
    this.#remaining = [cutPolygons(polygons, this.#lines[0]), cutPolygons(polygons, this.#lines[1])];
    this.#totals = [total(this.#remaining[0]), total(this.#remaining[1])];
  }

  get share(): number {
    return Math.max(this.#shareOf(0, total(this.#remaining[0])), this.#shareOf(1, total(this.#remaining[1])));
  }

  /** Returns the share that a scene would add, and `take`, which adds it. */
  without(rings: readonly FlatRing[]): { share: number; take: () => void } | undefined {
    const [minX, minY, maxX, maxY] = this.#bounds;
    const here = rings
      .flatMap((ring) => ringTurns(unwrapRing(ring), minX, maxX))
      .filter((ring) => {
        const [, south, , north] = ringBounds(ring);
        return north > minY && south < maxY;
      })
      .map((ring) => [ring]);
    if (here.length === 0) return { share: 0, take: () => {} };
    const [byX, byY] = [this.#afterCut(here, 0), this.#afterCut(here, 1)];
    const share = byX.gaining >= byY.gaining ? this.#shareOf(0, byX.gain) : this.#shareOf(1, byY.gain);
    return {
      share,
      take: () => {
        this.#remaining = [byX.remaining, byY.remaining];
      },
    };
  }

  #afterCut(polygons: readonly (readonly FlatRing[])[], direction: 0 | 1) {
    const cuts = cutPolygons(polygons, this.#lines[direction]);
    const remaining: Spans[] = [];
    let [gain, gaining] = [0, 0];
    for (const [i, spans] of this.#remaining[direction].entries()) {
      const rest = subtract(spans, cuts[i]!);
      const gained = rest === spans ? 0 : lengthOf(spans) - lengthOf(rest);
      remaining.push(rest);
      gain += gained;
      if (gained > 0) gaining += 1;
    }
    return { remaining, gain, gaining };
  }

  #shareOf(direction: 0 | 1, length: number): number {
    const whole = this.#totals[direction];
    return whole === 0 ? 0 : length / whole;
  }
}

function total(cuts: Cuts): number {
  return cuts.reduce((sum, spans) => sum + lengthOf(spans), 0);
}

function areaPolygons(area: Bbox | PolygonGeometry): FlatRing[][] {
  const polygons = isBbox(area) ? [[flatBoundsRing(unwrapBbox(widened(area)))]] : unwrapPolygons(area);
  const rings = polygons.flat();
  if (rings.length === 0 || !rings.every((ring) => ring.every(Number.isFinite))) {
    throw new MosaicInputError("Expected an area with finite coordinates, got none.");
  }
  return polygons;
}

// Array.isArray does not narrow readonly tuples out of a union
function isBbox(area: Bbox | PolygonGeometry): area is Bbox {
  return Array.isArray(area);
}

/** A box without width or height gets a millionth of a degree, about 0.1 m. */
function widened([west, south, east, north]: Bbox): Bbox {
  const [dx, dy] = [west === east ? 5e-7 : 0, south === north ? 5e-7 : 0];
  return [west - dx, south - dy, east + dx, north + dy];
}
