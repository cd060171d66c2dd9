/** The order of scenes in a mosaic, top first: newest first, oldest first, or least cloudy first. */
export type MosaickingOrder = "mostRecent" | "leastRecent" | "leastCC";

/** The facts that scenes are ordered by. */
export interface SortableScene {
  readonly id: string;
  /** Acquisition time, milliseconds since 1970-01-01T00:00:00Z. Absent: after all scenes that have one. */
  readonly time?: number | undefined;
  /** Cloud cover of the scene, percent 0..100. Absent: after all scenes that have one. */
  readonly cloudCover?: number | undefined;
}

/**
 * A copy of `items`, first on top. Scenes of equal cloud cover are ordered newest first; scenes of equal time by
 * ascending id (code units), so the order never depends on the order of the input.
 */
export function sortScenes<T extends SortableScene>(items: readonly T[], order: MosaickingOrder): T[] {
  const newestFirst = (a: T, b: T): number => compareAbsentLast(a.time, b.time, -1) || compareIds(a.id, b.id);
  const compare = {
    mostRecent: newestFirst,
    leastRecent: (a: T, b: T): number => compareAbsentLast(a.time, b.time, 1) || compareIds(a.id, b.id),
    leastCC: (a: T, b: T): number => compareAbsentLast(a.cloudCover, b.cloudCover, 1) || newestFirst(a, b),
  }[order];
  return [...items].sort(compare);
}

function compareAbsentLast(a: number | undefined, b: number | undefined, sign: 1 | -1): number {
  const hasA = a !== undefined && !Number.isNaN(a);
  const hasB = b !== undefined && !Number.isNaN(b);
  if (!hasA || !hasB) return Number(hasB) - Number(hasA);
  return a === b ? 0 : a < b ? -sign : sign;
}

function compareIds(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
