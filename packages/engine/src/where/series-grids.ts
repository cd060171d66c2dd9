import type { Bbox } from "@swath/raster";
import type { CollectionMatch } from "@swath/schema";
import { bandOfItem } from "../read/item-bands.ts";
import { pixelCorners } from "../read/pixel-corners.ts";
import { gridSpec } from "../run/scene-read.ts";
import type { BandProgram } from "../what/band-program.ts";
import type { SourceItem } from "../when/overpasses.ts";
import type { PolygonArea } from "./area.ts";
import { pointGrid } from "./native-grid.ts";
import { type PolygonGrid, polygonGrid } from "./polygon-grid.ts";

/** An item of a series, and how it is read. */
export interface SeriesItem extends SourceItem {
  readonly match: CollectionMatch;
  readonly measure: BandProgram;
}

/** The area of a series. */
interface SeriesArea {
  /** Absent: a point, the south-west corner of `bbox`. */
  readonly area?: PolygonArea;
  readonly bbox: Bbox;
}

/** Grids by what they depend on: a point has one, a polygon one for each collection, of its files' own pixels. */
export class SeriesGrids {
  readonly #spec: SeriesArea;
  readonly #items: readonly SeriesItem[];
  readonly #grids = new Map<string, PolygonGrid>();

  /** @param items all of the series, by which pixels are aligned */
  constructor(spec: SeriesArea, items: readonly SeriesItem[]) {
    this.#spec = spec;
    this.#items = items;
  }

  /** The grid of an overpass: that of the collection on top. */
  of([top]: readonly SeriesItem[]): PolygonGrid {
    const { area, bbox } = this.#spec;
    const key = area === undefined ? "" : (top?.source.id ?? "");
    let grid = this.#grids.get(key);
    if (grid === undefined) {
      const own = this.#items.filter(({ source }) => source.id === key);
      grid = area === undefined ? pointPixel(bbox) : gridOf(area, own);
      this.#grids.set(key, grid);
    }
    return grid;
  }
}

function pointPixel([lon, lat]: Bbox): PolygonGrid {
  return { parts: [{ grid: gridSpec(pointGrid([lon, lat])) }], pixels: 1 };
}

/** Pixels of the coarsest band of a collection's files. */
function gridOf(area: PolygonArea, items: readonly SeriesItem[]): PolygonGrid {
  const resolutions = items.flatMap(({ item, match, measure }) =>
    measure.bands.map((band) => (bandOfItem(item, match.collection, band)?.band ?? band).gsd),
  );
  const corners = items.flatMap(({ item, measure }) => pixelCorners([item], measure));
  const coarsest = resolutions.reduce((most, each) => Math.max(most, each), 0);
  return polygonGrid(area, coarsest, corners);
}
