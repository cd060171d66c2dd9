import type { Geometry } from "@swath/geometry";
import { parseIntersects } from "@swath/query";
import type { Bbox } from "@swath/raster";
import type { CollectionMatch } from "@swath/schema";
import { bandOfItem } from "../items/item-bands.ts";
import { pixelCorners } from "../items/pixel-corners.ts";
import { checkGroundArea } from "../limits/limits.ts";
import { readMember } from "../read-member.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { AreaWhere, PointWhere } from "../request.ts";
import { gridSpec } from "../run/scene/scene-read.ts";
import type { BandProgram } from "../what/band-program.ts";
import type { SourceItem } from "../when/overpasses.ts";
import { areaOf, areaOfPolygon, isPolygonal, type PolygonArea } from "../where/area.ts";
import { pointGrid } from "../where/native-grid.ts";
import { type PolygonGrid, polygonGrid } from "../where/polygon-grid.ts";
import { type SearchArea, searchBoxes } from "../where/search-boxes.ts";

/** An item of a series, and how it is read. */
export interface SeriesItem extends SourceItem {
  readonly match: CollectionMatch;
  readonly program: BandProgram;
}

/** The place of a series, and its pixels. */
export interface SeriesPlace {
  /** The point or polygon as it was sent, degrees. */
  readonly geometry: Geometry;
  /** Around it, degrees. */
  readonly bbox: Bbox;
  readonly searched: SearchArea;
  /** Absent: a point. */
  readonly area?: PolygonArea;
  /**
   * The pixels of an overpass, whose items are given first on top: a point has one, a polygon those of the collection on top.
   *
   * @param all items of the series, by which pixels are aligned
   */
  readonly gridsOf: (all: readonly SeriesItem[]) => (overpass: readonly SeriesItem[]) => PolygonGrid;
}

const GEOMETRY: Path = ["where", "geometry"];

/** @throws {Refusal} `invalid`, or `area-too-large` beyond 25 km². */
export function seriesPlace(where: PointWhere | AreaWhere): SeriesPlace {
  if (where.kind === "point") {
    const { lon, lat } = where;
    const geometry = { type: "Point", coordinates: [lon, lat] } as const;
    const pixel = { parts: [{ grid: gridSpec(pointGrid([lon, lat])) }], pixels: 1 };
    const bbox = [lon, lat, lon, lat] as const;
    return { geometry, bbox, searched: { geometry, boxes: [bbox] }, gridsOf: () => () => pixel };
  }
  const isPlain = where.bbox === undefined && where.crs === undefined;
  const geometry = isPlain ? readMember(GEOMETRY, (at) => parseIntersects(where.geometry, at)) : areaOf(where).outline;
  if (!isPolygonal(geometry)) {
    const detail = `Expected a Point, Polygon or MultiPolygon, got ${geometry.type}.`;
    throw new Refusal("invalid", [...GEOMETRY, "type"], detail);
  }
  const area = areaOfPolygon(geometry, ["where"]);
  checkGroundArea(area);
  const searched = { geometry: area.polygon, boxes: searchBoxes(area.polygon) };
  return { geometry, bbox: area.bbox, searched, area, gridsOf: (all) => polygonGrids(area, all) };
}

/** Grids of a polygon, one for each collection: of its files' own pixels. */
function polygonGrids(area: PolygonArea, all: readonly SeriesItem[]): ReturnType<SeriesPlace["gridsOf"]> {
  const grids = new Map<string, PolygonGrid>();
  return ([top]) => {
    const id = top?.source.id ?? "";
    let grid = grids.get(id);
    if (grid === undefined) {
      const own = all.filter(({ source }) => source.id === id);
      grid = gridOf(area, own);
      grids.set(id, grid);
    }
    return grid;
  };
}

/** Pixels of the coarsest band of a collection's files. */
function gridOf(area: PolygonArea, items: readonly SeriesItem[]): PolygonGrid {
  const resolutions = items.flatMap(({ item, match, program }) =>
    program.bands.map((band) => (bandOfItem(item, match.collection, band)?.band ?? band).gsd),
  );
  const corners = items.flatMap(({ item, program }) => pixelCorners([item], program));
  const coarsest = resolutions.reduce((most, each) => Math.max(most, each), 0);
  return polygonGrid(area, coarsest, corners);
}
