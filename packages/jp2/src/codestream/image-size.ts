import { CogError } from "@swath/cog";
import { viewOf } from "./markers.ts";

/** A rectangle of pixels; `x1` and `y1` are the first column and row beyond it. */
export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Image and tiles on the reference grid (SIZ, ITU-T T.800 A.5.1). Every component has a sample at every point of the grid. */
export interface ImageSize {
  readonly image: Rect;
  readonly tileX: number;
  readonly tileY: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tilesAcross: number;
  readonly tilesDown: number;
  readonly components: number;
  /** Bits of a sample, the same in all components. */
  readonly bits: number;
  readonly signed: boolean;
}

/** The decoder has sample types of 8 and 16 bits. */
const MAX_BITS = 16;
/** A tile is named by 16 bits (Isot). */
const MAX_TILES = 65_535;
/** Pixels of a side, so that all numbers of the grid are safe in 32 signed bits. */
const MAX_SIDE = 0x7fffffff;

/**
 * Reads a SIZ marker segment.
 *
 * @throws {CogError} `corrupt` where its numbers contradict each other, `unsupported` for components that are not read, `too-large`
 */
export function parseImageSize(segment: Uint8Array, key: string): ImageSize {
  const view = viewOf(segment);
  if (segment.length < 43) throw corrupt(key, `an SIZ marker segment of ${segment.length} bytes`);
  const [x1, y1, x0, y0, tileWidth, tileHeight, tileX, tileY] = Array.from({ length: 8 }, (_, i) =>
    view.getUint32(6 + 4 * i),
  ) as [number, number, number, number, number, number, number, number];
  const components = view.getUint16(38);
  if (components === 0 || segment.length < 40 + 3 * components) throw corrupt(key, `${components} components`);
  if (x1 > MAX_SIDE || y1 > MAX_SIDE || x0 >= x1 || y0 >= y1) throw corrupt(key, "an image without pixels");
  const isCovered = tileX <= x0 && tileY <= y0 && tileX + tileWidth > x0 && tileY + tileHeight > y0;
  if (tileWidth === 0 || tileHeight === 0 || !isCovered) throw corrupt(key, "tiles that do not cover the image");
  const tilesAcross = Math.ceil((x1 - tileX) / tileWidth);
  const tilesDown = Math.ceil((y1 - tileY) / tileHeight);
  if (tilesAcross * tilesDown > MAX_TILES) {
    throw new CogError("too-large", `${key}: ${tilesAcross * tilesDown} tiles, at most ${MAX_TILES} are read.`);
  }
  const { bits, signed } = sampleOf(segment, components, key);
  return {
    image: { x0, y0, x1, y1 },
    tileX,
    tileY,
    tileWidth,
    tileHeight,
    tilesAcross,
    tilesDown,
    components,
    bits,
    signed,
  };
}

function sampleOf(segment: Uint8Array, components: number, key: string): { bits: number; signed: boolean } {
  if (components !== 1 && components !== 3) {
    throw new CogError("unsupported", `${key}: JPEG 2000 of ${components} components is not read, of 1 and 3 it is.`);
  }
  const precision = segment[40]!;
  for (let i = 0; i < components; i++) {
    const [own, across, down] = segment.subarray(40 + 3 * i) as unknown as [number, number, number];
    if (across !== 1 || down !== 1) {
      throw new CogError("unsupported", `${key}: JPEG 2000 with subsampled components is not read.`);
    }
    if (own !== precision) {
      throw new CogError("unsupported", `${key}: JPEG 2000 with components of different types is not read.`);
    }
  }
  const bits = (precision & 0x7f) + 1;
  if (bits > MAX_BITS) {
    throw new CogError("unsupported", `${key}: JPEG 2000 of ${bits} bits is not read, up to ${MAX_BITS} are.`);
  }
  return { bits, signed: precision >= 0x80 };
}

/** The part of a tile that lies in the image. */
export function tileRect(size: ImageSize, tile: number): Rect {
  const { image, tileX, tileY, tileWidth, tileHeight, tilesAcross } = size;
  const column = tile % tilesAcross;
  const row = Math.floor(tile / tilesAcross);
  return {
    x0: Math.max(image.x0, tileX + column * tileWidth),
    y0: Math.max(image.y0, tileY + row * tileHeight),
    x1: Math.min(image.x1, tileX + (column + 1) * tileWidth),
    y1: Math.min(image.y1, tileY + (row + 1) * tileHeight),
  };
}

/** A rectangle at a resolution with `reduction` decomposition levels fewer (ITU-T T.800, equations B-14 and B-15). */
export function reduceRect({ x0, y0, x1, y1 }: Rect, reduction: number): Rect {
  const scale = 2 ** reduction;
  return { x0: Math.ceil(x0 / scale), y0: Math.ceil(y0 / scale), x1: Math.ceil(x1 / scale), y1: Math.ceil(y1 / scale) };
}

export function rectWidth({ x0, x1 }: Rect): number {
  return x1 - x0;
}

export function rectHeight({ y0, y1 }: Rect): number {
  return y1 - y0;
}

function corrupt(key: string, what: string): CogError {
  return new CogError("corrupt", `${key}: its JPEG 2000 header declares ${what}.`);
}
