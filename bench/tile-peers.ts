import { BANDS, bandPath, SCENES, visualPath } from "./data/plan.ts";
import type { Kind } from "./jobs.ts";

/** Encodings of the other programs: PNG by two levels of zlib (theirs by default is 6), JPEG at our quality. */
const TILE_ENCODINGS = {
  png: [
    { zlevel: 1, title: "zlib 1" },
    { zlevel: 6, title: "zlib 6" },
  ],
  jpg: [{ zlevel: 0, title: "quality 85" }],
} as const;

/** The ways in which a quick run (the fastest alone) or a full one measures. */
export const encodingsOf = (format: "png" | "jpg", quick: boolean): readonly { zlevel: number; title: string }[] =>
  TILE_ENCODINGS[format].slice(0, quick ? 1 : undefined);

/** Paths of the files that a kind of tile is rendered from, as another program is given them; the top scene first. */
export function filesOf(directory: string, kind: Kind): readonly string[] {
  const visual = SCENES.map((scene) => visualPath(directory, scene));
  const [red, green, blue, nir] = BANDS.map((band) => bandPath(directory, band)) as [string, string, string, string];
  const files: Record<Kind, readonly string[]> = {
    visual: visual.slice(0, 1),
    rgb16: [red, green, blue],
    ndvi: [nir, red],
    mosaic: visual,
    "mosaic-edge": [visual[1]!, visual[0]!, ...visual.slice(2)],
  };
  return files[kind];
}

/** West, south, east and north of a tile of WebMercatorQuad, metres. */
export function mercatorBounds({ z, x, y }: { z: number; x: number; y: number }): readonly number[] {
  const half = 20_037_508.342789244;
  const size = (2 * half) / 2 ** z;
  return [x * size - half, half - (y + 1) * size, (x + 1) * size - half, half - y * size];
}
