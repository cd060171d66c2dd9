import type { Item } from "@swath/catalog";
import { footprintShape, type Geometry, type Shape, shapesIntersect, toShape } from "@swath/geometry";
import type { PlannedGrid, PlannedLoad } from "@swath/openeo";
import { pixelCorners } from "../items/pixel-corners.ts";
import type { BandProgram } from "../what/band-program.ts";
import type { CubeCollection } from "../what/cube-bands.ts";
import type { PixelCorner } from "../where/alignment.ts";

/** The time steps of a load, once its scenes are known. */
export interface LoadedTimes {
  readonly load: PlannedLoad;
  readonly collection: CubeCollection;
  /** Oldest first: the label of each, and its items, first on top. */
  readonly steps: readonly { readonly label: string; readonly items: readonly Item[] }[];
}

/** Returns the program of each band of a load. */
export const programsOf = ({ load, collection }: LoadedTimes): readonly BandProgram[] =>
  load.bands.map(({ name }) => collection.programs.get(name)!);

/** An item and where the pixels of its files meet. */
interface ItemCorners {
  readonly item: Item;
  readonly corners: readonly PixelCorner[];
}

/**
 * The items of a graph's loads on the ground: footprints and corners of pixels are prepared once for all of its areas.
 */
export class CubeItems {
  readonly #loads: readonly (LoadedTimes | undefined)[];
  readonly #shapes = new Map<Item, Shape | undefined>();
  readonly #corners = new Map<PlannedGrid, readonly ItemCorners[]>();

  constructor(loads: readonly (LoadedTimes | undefined)[]) {
    this.#loads = loads;
  }

  /** Whether items may have pixels in a geometry; those without a footprint always may. */
  over(geometry: Geometry): (item: Item) => boolean {
    const area = toShape(geometry);
    const known = new Map<Item, boolean>();
    return (item) => {
      let meets = known.get(item);
      if (meets === undefined) {
        const shape = this.#shapeOf(item);
        meets = shape === undefined || shapesIntersect(shape, area);
        known.set(item, meets);
      }
      return meets;
    };
  }

  /** Corners of pixels of all files that a grid may be aligned with, or of those of some items alone. */
  cornersOf(grid: PlannedGrid, isMeant: (item: Item) => boolean = () => true): readonly PixelCorner[] {
    let found = this.#corners.get(grid);
    if (found === undefined) {
      found = [...grid.loads].flatMap((number) => itemCorners(this.#loads[number]));
      this.#corners.set(grid, found);
    }
    return found.flatMap(({ item, corners }) => (isMeant(item) ? corners : []));
  }

  #shapeOf(item: Item): Shape | undefined {
    if (!this.#shapes.has(item)) {
      this.#shapes.set(item, item.geometry === null ? undefined : footprintShape(item.geometry));
    }
    return this.#shapes.get(item);
  }
}

function itemCorners(load: LoadedTimes | undefined): readonly ItemCorners[] {
  if (load === undefined) return [];
  const programs = programsOf(load);
  return load.steps.flatMap(({ items }) =>
    items.map((item) => ({ item, corners: programs.flatMap((program) => pixelCorners([item], program)) })),
  );
}
