import { rasterizePolygon } from "@swath/mosaic";
import { type Bbox, resolveCrs } from "@swath/raster";
import type { CollectionMatch } from "@swath/schema";
import { type AnalysisGrid, analysisGrid } from "./analysis-grid.ts";
import type { Area } from "./area.ts";
import { bandOfItem } from "./item-bands.ts";
import type { Measure } from "./measure.ts";
import type { SourceItem } from "./overpasses.ts";
import { pointGrid } from "./point-grid.ts";
import { pixelCorners } from "./series.ts";

/** An item of a series, and how it is read. */
export interface SeriesItem extends SourceItem {
  readonly match: CollectionMatch;
  readonly measure: Measure;
}

/** Where a series is asked for. */
interface SeriesArea {
  /** Absent: a point, the south-west corner of `bbox`. */
  readonly area?: Area;
  readonly bbox: Bbox;
}

/** The grid on which overpasses of a series are read. */
export interface SeriesGrid extends AnalysisGrid {
  /** Pixels whose values count. */
  readonly pixels: number;
}

/** Grids by what they depend on: a point has one, a polygon one for each collection, of its files' own pixels. */
export class SeriesGrids {
  readonly #spec: SeriesArea;
  readonly #grids = new Map<string, SeriesGrid>();

  constructor(spec: SeriesArea) {
    this.#spec = spec;
  }

  /** The grid of an overpass: that of the collection on top. */
  of(items: readonly SeriesItem[]): SeriesGrid {
    const { area, bbox } = this.#spec;
    const [top] = items;
    const key = area === undefined ? "" : (top?.source.id ?? "");
    let grid = this.#grids.get(key);
    if (grid === undefined) {
      const own = items.filter(({ source }) => source === top?.source);
      grid = area === undefined ? { grid: pointGrid([bbox[0], bbox[1]]), pixels: 1 } : polygonGrid(area, own);
      this.#grids.set(key, grid);
    }
    return grid;
  }
}

/** Pixels of the coarsest band of a collection's files, in the UTM zone of the area's centre. */
function polygonGrid(area: Area, items: readonly SeriesItem[]): SeriesGrid {
  const resolutions = items.flatMap(({ item, match, measure }) =>
    measure.bands.map((band) => (bandOfItem(item, match.collection, band)?.band ?? band).gsd),
  );
  const corners = items.flatMap(({ item, measure }) => pixelCorners([item], measure));
  const { grid, region } = analysisGrid(area, {}, Math.max(...resolutions), corners, "/geometry");
  const counted = region && rasterizePolygon(region.polygon, grid, resolveCrs(region.crs));
  const pixels = counted?.reduce((sum, flag) => sum + flag, 0) ?? grid.width * grid.height;
  return { grid, ...(region === undefined ? {} : { region }), pixels };
}
