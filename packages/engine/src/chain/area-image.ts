import { unwrapBbox, wrapBbox } from "@swath/geometry";
import { type Bbox, type Bounds, type Grid, gridFromBounds, resolveCrs, transformBounds } from "@swath/raster";
import { planMosaic } from "../job/image-plan.ts";
import { bandsRead } from "../read/recipe-read.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { TileJob } from "../run/job.ts";
import { isSettled } from "../when/time-window.ts";
import type { PlannedImage } from "./images.ts";
import { type MosaicServices, readTileSet, scenesOf, type TileSet, type TileSetInput, withMargin } from "./tile.ts";

/** Metres a pixel at zoom 0 of the Web Mercator tiles of 256 pixels. */
const ZOOM_0_METRES = (2 * Math.PI * 6_378_137) / 256;
const BBOX: Path = ["where", "bbox"];
/** Latitude at which Web Mercator ends. */
const MAX_LATITUDE = 85.051_128;

export interface AreaImageInput extends Omit<TileSetInput, "tileMatrixSetId"> {
  /** Degrees; west > east where it crosses the antimeridian. */
  readonly bbox: Bbox;
  /** Long edge, pixels. */
  readonly size: number;
  readonly format: TileJob["format"];
}

/** An area's image that is planned, and what of. */
export interface PlannedAreaImage extends PlannedImage {
  readonly tiles: TileSet;
  readonly grid: Grid;
}

/**
 * Plans an image of a box in Web Mercator: a mosaic of the scenes, order and style that map tiles of the preset have.
 * No pixel is read.
 *
 * @throws {Refusal} as `readTileSet`; `invalid` for a box that Web Mercator cannot hold; `zoom-out-of-range`
 *   for pixels larger than those of the preset's lowest zoom; {CatalogError}
 */
export async function planAreaImage(
  services: MosaicServices,
  input: AreaImageInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<PlannedAreaImage> {
  const tiles = readTileSet(services.registry, { ...input, tileMatrixSetId: "WebMercatorQuad" }, services.now());
  const bounds = unwrapBbox(input.bbox);
  const grid = mercatorGrid(bounds, input.size);
  checkPixelSize(grid, tiles, input);
  const searched = wrapBbox(withMargin(bounds, tiles.recipe, grid));
  const scenes = await scenesOf(services, tiles, searched, { signal });
  return {
    plan: planMosaic(tiles, scenes, grid, input.format),
    collection: tiles.collection,
    bands: bandsRead(tiles),
    items: scenes.items,
    isSettled: isSettled(tiles.window, services.now()),
    ...(scenes.missing === undefined ? {} : { missing: scenes.missing }),
    tiles,
    grid,
  };
}

/**
 * The grid of a box whose long edge has `size` pixels, which are square but for rounding. Across the antimeridian it runs
 * on beyond the end of the projection.
 */
function mercatorGrid([west, south, east, north]: Bounds, size: number): Grid {
  const fault = (detail: string): Refusal => new Refusal("invalid", BBOX, detail);
  if (!(west < east)) throw fault(`Expected a box with an area, got west ${west} and east ${east}.`);
  if (!(south < north)) throw fault(`Expected south < north, got ${south} and ${north}.`);
  if (south < -MAX_LATITUDE || north > MAX_LATITUDE) {
    throw fault(`Expected latitudes from -${MAX_LATITUDE} to ${MAX_LATITUDE}, got ${south} and ${north}.`);
  }
  const crs = resolveCrs("EPSG:3857");
  const bounds = transformBounds([west, south, east, north], resolveCrs("EPSG:4326"), crs);
  const [across, up] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  if (!(across > 0 && up > 0)) throw fault("Expected a box with an area.");
  const pixels = (span: number): number => Math.max(1, Math.round((size * span) / Math.max(across, up)));
  return gridFromBounds(crs, bounds, pixels(across), pixels(up));
}

/** Pixels of a kilometre would read a whole country for one image; tiles have the same limit. */
function checkPixelSize({ transform: [metres] }: Grid, { preset, minzoom, maxzoom }: TileSet, input: AreaImageInput) {
  const coarsest = ZOOM_0_METRES / 2 ** minzoom;
  if (metres <= coarsest * 1.000_001) return;
  const zoom = Math.floor(Math.log2(ZOOM_0_METRES / metres));
  const degrees = ((coarsest * input.size * 180) / (Math.PI * 6_378_137)).toPrecision(3);
  const detail = `Preset ${preset.id} is drawn from zoom ${minzoom}: at ${input.size} pixels the bbox may span ${degrees} degrees of longitude.`;
  throw new Refusal("zoom-out-of-range", BBOX, detail, { limits: { minzoom, maxzoom, requestedZoom: zoom } });
}
