import { join } from "node:path";
import { gridFromBounds, resolveCrs } from "../../packages/raster/src/index.ts";

/** Pixels along each side of a 10 m Sentinel-2 scene. */
export const SIDE = 10_980;
const PIXEL = 10;
// centred on the map tile 8/138/86, so that this tile is completely inside the scene
const WEST = 428_400;
const NORTH = 5_625_720;

/** The place and size of a file, and the edge of its blocks. */
export interface FileLayout {
  readonly crs: string;
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly width: number;
  readonly height: number;
  readonly blockSize: number;
}

/** The ground of every scene: 110 km of UTM zone 33. */
export const SCENE_LAYOUT: FileLayout = {
  crs: "EPSG:32633",
  bounds: [WEST, NORTH - SIDE * PIXEL, WEST + SIDE * PIXEL, NORTH],
  width: SIDE,
  height: SIDE,
  blockSize: 1024,
};
export const SCENE_GRID = gridFromBounds(resolveCrs(SCENE_LAYOUT.crs), SCENE_LAYOUT.bounds, SIDE, SIDE);

/** One file of the benchmark's archive. */
export interface FilePlan {
  readonly name: string;
  readonly kind: "band" | "visual";
  /** Moves the noise, so that any two files differ. */
  readonly shift: number;
  /** Share of each row that holds data, from the west; the rest is nodata behind a slanted edge, as at a swath's end. */
  readonly filled: number;
}

export const BANDS = ["B04", "B03", "B02", "B08"] as const;

/** Files to make: a scene in four bands and true colour, and two in true colour, one of which covers half. */
export const FILES: readonly FilePlan[] = [
  ...BANDS.map((name, i): FilePlan => ({ name: `s1-${name}`, kind: "band", shift: 101 + 313 * i, filled: 1 })),
  { name: "s1-TCI", kind: "visual", shift: 57, filled: 1 },
  { name: "s2-TCI", kind: "visual", shift: 911, filled: 0.5 },
];

/** Scenes of the six-scene mosaics. Those under the top one are links to the two files that there are. */
export const SCENES = ["s1", "s2", "s3", "s4", "s5", "s6"] as const;

export const bandPath = (directory: string, band: (typeof BANDS)[number]): string => join(directory, `s1-${band}.tif`);
export const visualPath = (directory: string, scene: (typeof SCENES)[number]): string =>
  join(directory, `${scene}-TCI.tif`);
/** Sixty files, all different to a reader: links to the four bands in turn. */
export const LINKED_FILES = 60;
export const linkedName = (i: number): string => `points/p${i}`;
export const linkedPath = (directory: string, i: number): string => join(directory, `${linkedName(i)}.tif`);
/** Names of the four bands under other names, fifteen times: to every cache they are other files. */
export const linkedBands = (set: number): readonly string[] => BANDS.map((_, i) => linkedName(BANDS.length * set + i));
