import { unwrapBbox } from "@swath/geometry";
import type { Interval } from "@swath/query";

/** The boxes in degrees and the time that a collection covers. */
export interface Cover {
  /** Id of the collection. */
  readonly id: string;
  readonly boxes: readonly (readonly number[])[];
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Explains in words why nothing may have been found: what the collections cover, and whether longitude and latitude seem to be
 * swapped.
 *
 * @param asked where and when nothing was found; `bbox` in degrees
 */
export function coverageText(
  covers: readonly Cover[],
  { bbox, window }: { readonly bbox?: readonly number[] | undefined; readonly window?: Interval | undefined },
): string {
  const lines = covers.map((cover) => lineOf(cover, window));
  return [...lines, ...(bbox === undefined ? [] : [placeOf(covers, bbox)])].join("\n");
}

function lineOf({ id, boxes: [box = []], from, to }: Cover, window: Interval | undefined): string {
  const [west, south, east, north] = cornersOf(box).map((degrees) => Number(degrees.toFixed(2)));
  const covers = `${id} covers ${dayOf(from) ?? "all times"} to ${dayOf(to) ?? "now"}, longitude ${west} to ${east}, latitude ${south} to ${north}.`;
  const [start, end] = [window?.start, window?.end].map((instant) =>
    instant === undefined ? undefined : Number(instant.nanoseconds / 1_000_000n),
  );
  if (end !== undefined && from !== null && end < Date.parse(from))
    return `${covers} The time asked for is before that.`;
  if (start !== undefined && to !== null && start > Date.parse(to))
    return `${covers} The time asked for is after that.`;
  return covers;
}

/** The place as it was read, which is where a model sees that it swapped coordinates. */
function placeOf(covers: readonly Cover[], bbox: readonly number[]): string {
  const [west, south, east, north] = cornersOf(bbox);
  const text = (value: number): string => String(Number(value.toFixed(5)));
  const range = (from: number, to: number): string => (from === to ? text(from) : `${text(from)} to ${text(to)}`);
  const asked = `Coordinates are longitude, latitude in degrees: longitude ${range(west, east)}, latitude ${range(south, north)} was asked for.`;
  const canSwap = Math.abs(west) <= 90 && Math.abs(east) <= 90 && (west !== south || east !== north);
  if (!canSwap) return asked;
  const isIn = (box: readonly number[]): boolean => covers.some(({ boxes }) => boxes.some((each) => meets(each, box)));
  const swapped = [south, west, north, east];
  if (isIn(bbox) || !isIn(swapped)) return `${asked} Did you swap longitude and latitude?`;
  return `${asked} That is outside; the other way round it would be inside: did you swap longitude and latitude?`;
}

const cornersOf = (bbox: readonly number[]): [number, number, number, number] =>
  (bbox.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3]).map((i) => bbox[i] ?? 0) as [number, number, number, number];

function meets(a: readonly number[], b: readonly number[]): boolean {
  const [west, south, east, north] = unwrapBbox(cornersOf(a));
  const [w, s, e, n] = unwrapBbox(cornersOf(b));
  const isNear = [-360, 0, 360].some((turn) => w + turn <= east && e + turn >= west);
  return isNear && s <= north && n >= south;
}

const dayOf = (time: string | null): string | undefined => time?.slice(0, 10);
