import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtractJob } from "../packages/engine/src/run/extract/extract-job.ts";
import type { ImageFormat, StyleSpec, TileJob } from "../packages/engine/src/run/job.ts";
import type { GridSpec, SceneRead } from "../packages/engine/src/run/scene/scene-read.ts";
import { resolveCrs, tileGrid, transformer } from "../packages/raster/src/index.ts";
import { BANDS, SCENE_GRID, SCENES, SIDE } from "./data/plan.ts";

export type Kind = "visual" | "rgb16" | "ndvi" | "mosaic" | "mosaic-edge";
export const KINDS: readonly Kind[] = ["visual", "rgb16", "ndvi", "mosaic", "mosaic-edge"];

/** Column and row of the tile over the middle of the scene, moved by some tiles. */
export function tileAt(z: number, right = 0, down = 0): { z: number; x: number; y: number } {
  const [a, , c, , e, f] = SCENE_GRID.transform;
  const toMercator = transformer(SCENE_GRID.crs, resolveCrs("EPSG:3857"));
  const [x, y] = toMercator(c + (a * SIDE) / 2, f + (e * SIDE) / 2);
  const half = 20_037_508.342789244;
  const size = (2 * half) / 2 ** z;
  return { z, x: Math.floor((x + half) / size) + right, y: Math.floor((half - y) / size) + down };
}

export function gridSpec({ z, x, y }: { z: number; x: number; y: number }, size = 256): GridSpec {
  const grid = tileGrid("WebMercatorQuad", z, x, y, size);
  return { crs: grid.crs.name, transform: grid.transform, width: size, height: size };
}

const sceneOf = (id: string, ...names: readonly string[]): SceneRead => ({
  id,
  footprint: footprint(),
  files: names.map((name) => ({ href: `archive:${name}.tif` })),
  resampling: "bilinear",
  overviews: "display",
  validWhere: "every-file",
});

let ring: SceneRead["footprint"] | undefined;

/** The outline of the scene's tile in degrees, which every scene states as its footprint. */
function footprint(): SceneRead["footprint"] {
  if (ring === undefined) {
    const [a, , c, , e, f] = SCENE_GRID.transform;
    const toDegrees = transformer(SCENE_GRID.crs, resolveCrs("EPSG:4326"));
    const corner = (u: number, v: number) => toDegrees(c + a * SIDE * u, f + e * SIDE * v);
    ring = [[corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)]];
  }
  return ring;
}

const STYLES: Readonly<Record<"visual" | "rgb16" | "ndvi", StyleSpec>> = {
  visual: {},
  rgb16: { rescale: [[1000, 5000]] },
  ndvi: {
    expression: "(b1-b2)/(b1+b2-2000)",
    variables: ["b1", "b2"],
    rescale: [[-0.2, 0.8]],
    colormap: "rdylgn",
  },
};

/** The job that a tile request of a kind comes to. `mosaic`: the top scene of six covers; `mosaic-edge`: half of it. */
export function tileJob(kind: Kind, grid: GridSpec, format: ImageFormat): TileJob {
  const visual = (scene: string) => sceneOf(scene, `${scene}-TCI`);
  const scenes: Record<Kind, readonly SceneRead[]> = {
    visual: [visual("s1")],
    rgb16: [sceneOf("s1", "s1-B04", "s1-B03", "s1-B02")],
    ndvi: [sceneOf("s1", "s1-B08", "s1-B04")],
    mosaic: SCENES.map(visual),
    "mosaic-edge": [visual("s2"), visual("s1"), ...SCENES.slice(2).map(visual)],
  };
  const style = kind === "rgb16" || kind === "ndvi" ? STYLES[kind] : STYLES.visual;
  return { kind: "tile", grid, scenes: scenes[kind], more: false, style, format };
}

export const renderSettings = (directory: string, cacheBytes = 512 * 1_048_576) => ({
  blockCacheBytes: cacheBytes,
  sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
});

/** Greatest resident memory of this process so far, bytes. */
export function peakMemory(): number {
  // what the system counts for a process begins with that of the one that started it
  const peak = existsSync(STATUS) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(STATUS, "utf8"))?.[1] : undefined;
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) * 1024;
}

const STATUS = "/proc/self/status";

/** Versions of Node and of the packages' native parts. */
export function versions(): string {
  const sharp = JSON.parse(
    readFileSync(join(import.meta.dirname, "../packages/encode/node_modules/sharp/package.json"), "utf8"),
  ) as { version: string };
  return `Node ${process.versions.node}, zlib ${process.versions.zlib}, sharp ${sharp.version}`;
}

/** Common names of `BANDS`. */
export const COMMON_NAMES = ["red", "green", "blue", "nir"] as const;

/** A square of Web Mercator around the middle of the scene, in pixels as wide as the scene's own. */
export function areaGrid(side: number): GridSpec {
  const [a, , c, , e, f] = SCENE_GRID.transform;
  const toMercator = transformer(SCENE_GRID.crs, resolveCrs("EPSG:3857"));
  const [x, y] = toMercator(c + (a * SIDE) / 2, f + (e * SIDE) / 2);
  const pixel = 15.6;
  const west = Math.round(x - (side * pixel) / 2);
  const north = Math.round(y + (side * pixel) / 2);
  return { crs: "EPSG:3857", transform: [pixel, 0, west, 0, -pixel, north], width: side, height: side };
}

/** Stored samples (DN), or reflectance. */
export type SampleType = "float32" | "uint16";

/** A GeoTIFF of the bands of the scene, of stored samples or of reflectance. @param names of the files in the archive, in the order of `BANDS` */
export function extractJob(
  grid: GridSpec,
  sampleType: SampleType,
  path: string,
  names: readonly string[] = BANDS.map((band) => `s1-${band}`),
): ExtractJob {
  const isFloat = sampleType === "float32";
  const nodata = isFloat ? Number.NaN : 0;
  const files = names.map((name) => ({
    href: `archive:${name}.tif`,
    bands: [0],
    nodata: 0,
    conversion: isFloat
      ? ({ kind: "physical", scale: 0.0001, offset: -0.1, nodata: 0 } as const)
      : ({ kind: "stored", nodata: 0 } as const),
  }));
  return {
    kind: "extract",
    grid,
    scenes: [
      {
        datetime: null,
        scales: files.map(() => ({ scale: 1, offset: 0 })),
        read: {
          id: "s1",
          footprint: [],
          files,
          resampling: "nearest",
          overviews: "gdal",
          validWhere: "any-file",
          output: { sampleType, nodata },
        },
      },
    ],
    bands: COMMON_NAMES.slice(0, names.length),
    sampleType,
    nodata,
    collection: "sentinel-2-l2a",
    attribution: "",
    units: "dn",
    harmonize: "none",
    path,
    spoolDirectory: tmpdir(),
  };
}
