import type { Json, RecordedItem } from "../recordings.ts";
import type { FileCrs } from "./tiff.ts";

/** The grid of a file's pixels. */
export interface FileGrid {
  readonly width: number;
  readonly height: number;
  /** `[a, b, c, d, e, f]` as in `proj:transform`. */
  readonly transform: readonly number[];
  readonly crs: FileCrs;
}

/**
 * The grid of an asset's file as the archive recorded it, or as it is known where the record is wrong or silent:
 *
 * - items of CMR-STAC say nothing: HLS files are 3660 by 3660 pixels of 30 m in the tiles of Sentinel-2;
 * - `EPSG:3271` of southern Landsat scenes stands for 32701;
 * - the polar item of USGS repeats the 200 by 200 pixels of its picture: its files have 30 m.
 */
export function gridOf(item: RecordedItem, asset: Json): FileGrid | undefined {
  const hls = /^HLS\.[LS]30\.T(\w{5})\./.exec(item.id)?.[1];
  if (hls !== undefined) return hlsGrid(hls);
  const { properties } = item;
  const shape = numbers(asset["proj:shape"]) ?? numbers(properties["proj:shape"]);
  const transform = numbers(asset["proj:transform"]) ?? numbers(properties["proj:transform"]);
  const epsg = epsgOf(asset) ?? epsgOf(properties);
  if (shape === undefined || transform === undefined || epsg === undefined) return undefined;
  const [height = 0, width = 0] = shape;
  const code = epsg === 3271 ? 32_701 : epsg;
  const crs: FileCrs = { kind: code === 4326 ? "geographic" : "projected", epsg: code };
  const grid = { width, height, transform: transform.slice(0, 6), crs };
  const isPicture = width === 200 && height === 200 && /_(SR|ST|QA)_/.test(String(asset.href));
  return isPicture ? finer(grid, 30) : grid;
}

/** The same ground in pixels of another size. */
function finer({ width, height, transform, crs }: FileGrid, size: number): FileGrid {
  const [a = 1, , c = 0, , e = -1, f = 0] = transform;
  return {
    width: Math.round((width * a) / size),
    height: Math.round((height * -e) / size),
    transform: [size, 0, c, 0, -size, f],
    crs,
  };
}

function numbers(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) ? (value as number[]) : undefined;
}

function epsgOf(members: Json): number | undefined {
  const code = /^EPSG:(\d+)$/.exec(String(members["proj:code"]))?.[1] ?? members["proj:epsg"];
  return code === undefined || code === null ? undefined : Number(code);
}

/** Upper left corners of the tiles of recorded granules, metres: HLS writes zones of the north everywhere. */
const HLS_CORNERS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  "13TGF": [699_960, 4_600_020],
  "15UXP": [600_000, 5_400_000],
  "15UWP": [499_980, 5_400_000],
  "19LDD": [399_960, -1_599_960],
};

function hlsGrid(tile: string): FileGrid | undefined {
  const corner = HLS_CORNERS[tile];
  if (corner === undefined) return undefined;
  const [x, y] = corner;
  const zone = Number(tile.slice(0, 2));
  return { width: 3660, height: 3660, transform: [30, 0, x, 0, -30, y], crs: { kind: "hls-utm", zone } };
}
