import { METRES_PER_DEGREE, utmEpsg } from "@swath/raster";
import type { Collection, Item, Preset } from "../api/types.ts";
import type { Bbox, Point } from "../geometry/area.ts";
import { areaBbox, ringOf } from "../geometry/area.ts";
import { imagesCredit } from "../map/credit-line.ts";
import { zoomsOf } from "../map/imagery-of.ts";
import { finestPixel, presetBands } from "../view/bands.ts";
import { styleFields } from "../view/custom-preset.ts";
import { CUSTOM, type MapView, type ViewState } from "../view/view.ts";

/** All that code for other programs says of the view. It has no key: code reads that from its environment. */
export interface ShareView {
  /** Address of the service, without a slash at its end. */
  readonly server: string;
  readonly preset: string;
  /** Name of the image, in one line. */
  readonly title: string;
  readonly collection: string;
  /** Query parameters of an image that the preset `custom` has. */
  readonly style: Readonly<Record<string, string>>;
  /** The window of the images: days, or the moment of the scene shown alone. */
  readonly datetime: string;
  readonly from: string;
  readonly to: string;
  /** Ceiling of scene cloud cover in percent; 100: any. */
  readonly cloud: number;
  readonly scene: string | undefined;
  /** First and last day of the same image at the right of the border; undefined: nothing, or another image, is compared. */
  readonly right: { readonly from: string; readonly to: string } | undefined;
  /** Bands that are drawn, by the collection's names. */
  readonly bands: readonly string[];
  /** Band math that is drawn; undefined: the bands themselves. */
  readonly expression: string | undefined;
  /** Names that the expression may use, and the collection's name of each. */
  readonly names: Readonly<Record<string, string>>;
  /** Units of the collection's values where they are not reflectance. */
  readonly units: string | undefined;
  readonly order: NonNullable<Preset["mosaickingOrder"]>;
  /** The area drawn, or else what the map shows. */
  readonly bbox: Bbox;
  /** Corners of the area where it is a polygon, the first one repeated. */
  readonly ring: readonly Point[] | undefined;
  /** Projection of files, and their pixel in metres. */
  readonly epsg: number;
  readonly resolution: number;
  readonly map: MapView;
  readonly minzoom: number;
  readonly maxzoom: number;
  /** 0 to 1. */
  readonly opacity: number;
  readonly credit: string;
  /** The map token of addresses that need no key; undefined: there is none. */
  readonly token: string | undefined;
}

export interface ShareSource {
  readonly server: string;
  readonly view: ViewState;
  readonly preset: Preset;
  readonly collection: Collection;
  /** The scene shown alone. */
  readonly shown: Item | undefined;
  readonly isSynthetic: boolean;
  /** Degrees that the map shows. */
  readonly seen: Bbox;
  readonly map: MapView;
}

/** Pixels of a file's longer side at most, so that code that is tried costs little. */
const MOST_PIXELS = 1000;
/** Tiles of the lowest zoom across the box of a view at most: of a map of the world code would ask for thousands. */
const MOST_TILES = 8;
/** Widths of UTM zones are 6 degrees; boxes far wider are bent in them. */
const WIDEST_UTM = 9;
const PIXELS = [10, 20, 30, 60, 100, 250, 500, 1000];

const rounded = (value: number): number => Number(value.toFixed(5));

/** A box, or the middle of one that has more tiles than code should ask for. */
function boundedBox([west, south, east, north]: Bbox, minzoom: number): Bbox {
  const most = (360 / 2 ** minzoom) * MOST_TILES;
  const part = (low: number, high: number): [number, number] => {
    const [middle, half] = [(low + high) / 2, Math.min(most, high - low) / 2];
    return [rounded(middle - half), rounded(middle + half)];
  };
  const [[left, right], [bottom, top]] = [part(west, east), part(south, north)];
  return [left, bottom, right, top];
}

/** The finest usual pixel, not finer than `finest`, with which neither side of a box has too many; metres. */
function pixelFor([west, south, east, north]: Bbox, finest: number): number {
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const longest = Math.max((east - west) * narrow, north - south) * METRES_PER_DEGREE;
  const needed = Math.max(longest / MOST_PIXELS, Number.isFinite(finest) ? finest : 0);
  return PIXELS.find((metres) => metres >= needed) ?? Math.ceil(needed / 1000) * 1000;
}

function namesOf({ bands = [] }: Collection): Record<string, string> {
  const named = [...bands].reverse().flatMap(({ name, common_name: common }) => {
    const own: (readonly [string, string])[] = [[name, name]];
    return common === undefined || common === null ? own : [[common, name] as const, ...own];
  });
  const names = Object.fromEntries(named);
  const nir = names.nir ?? names.nir08;
  return nir === undefined ? names : { ...names, nir };
}

/** Reads off what is shown; `token` is that of a map which shows the same preset and collection. */
export function shareView(source: ShareSource, token: string | undefined): ShareView {
  const { server, view, preset, collection, shown, seen, map } = source;
  const { area } = view;
  const zooms = zoomsOf(preset, collection.id);
  const bbox = area === undefined ? boundedBox(seen, zooms.minzoom) : areaBbox(area);
  const [west, south, east, north] = bbox;
  const isWide = east - west > WIDEST_UTM;
  const [units] = collection["svc:units"] ?? [];
  return {
    server: server.replace(/\/$/, ""),
    preset: preset.id,
    // what a link brings as an expression must not end a comment or a line of code
    title: preset.id === CUSTOM ? "Custom image" : preset.title.replace(/\s+/g, " "),
    collection: collection.id,
    style: styleFields(preset.id, view.custom),
    datetime: view.scene !== undefined && shown !== undefined ? shown.properties.datetime : `${view.from}/${view.to}`,
    from: view.from,
    to: view.to,
    cloud: view.cloud,
    scene: view.scene,
    right: view.rightPreset === undefined || view.rightPreset === view.preset ? view.right : undefined,
    bands: presetBands(collection, preset),
    expression: preset.expression,
    names: namesOf(collection),
    units: units === "REFLECTANCE" ? undefined : units,
    order: preset.mosaickingOrder ?? "leastCC",
    bbox,
    ring: area?.kind === "polygon" ? ringOf(area) : undefined,
    epsg: isWide ? 3857 : utmEpsg((west + east) / 2, (south + north) / 2),
    resolution: pixelFor(bbox, finestPixel(collection)),
    map,
    ...zooms,
    opacity: view.opacity / 100,
    credit: imagesCredit(view, collection, shown, { isSynthetic: source.isSynthetic }),
    token,
  };
}
