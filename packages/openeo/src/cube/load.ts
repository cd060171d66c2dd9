import type { Expressions } from "../expression/expression.ts";
import { type BandInfo, type Cube, cubeOf } from "./cube.ts";
import type { SpatialExtent } from "./grid-request.ts";

/** A predicate on a property of scenes. */
export type PropertyFilter = (value: string | number | boolean | null) => boolean;

/** The part of a collection that is loaded. */
export interface LoadRequest {
  /** The collection as it was named. */
  readonly collection: string;
  readonly bands: readonly BandInfo[];
  /** Milliseconds since 1970: from the start, up to and without the end; `null`: open. */
  readonly time: readonly [start: number | null, end: number | null];
  /** Extents outside of which there is no data; the last one is that of the cube. */
  readonly extents: readonly SpatialExtent[];
  /** Scenes are loaded whose properties pass all. */
  readonly properties: ReadonlyMap<string, PropertyFilter>;
  /** Path of the node in the graph, for errors; two nodes load apart, since their filters of properties may differ. */
  readonly path: readonly (string | number)[];
}

/** A collection whose scenes are not asked for yet: filters narrow what is loaded. */
export interface LoadedCollection {
  readonly kind: "load";
  readonly request: LoadRequest;
}

export const isLoaded = (value: unknown): value is LoadedCollection =>
  (value as Partial<LoadedCollection> | null)?.kind === "load";

/** Names of the dimensions of collections. */
export const TIME = "t";
export const BANDS = "bands";

/** The cube of a load, with the labels of its time steps; one label stands for all where they are not known yet. */
export function loadedCube(
  load: number,
  { bands, extents }: LoadRequest,
  times: readonly string[] | undefined,
  expressions: Expressions,
): Cube {
  const labels = times ?? [OPEN_LABEL];
  const cells = labels.flatMap((_, time) => bands.map((__, band) => expressions.input({ load, time, band })));
  return cubeOf(
    [
      { name: TIME, type: "temporal", labels, ...(times === undefined ? { isOpen: true as const } : {}) },
      { name: BANDS, type: "bands", labels: bands.map(({ name }) => name) },
    ],
    cells,
    {
      bands: new Map(bands.map((band) => [band.name, band])),
      grid: { extents, resolutionLoads: new Set([load]), loads: new Set([load]) },
    },
  );
}

/** The label of all time steps before they are known. */
const OPEN_LABEL = "2000-01-01T00:00:00Z";
