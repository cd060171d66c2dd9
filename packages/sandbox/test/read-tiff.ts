import { join } from "node:path";
import { fromFile, type GeoTIFFImage } from "geotiff";
import type { UpstreamItem } from "../src/index.ts";

/** The place of an image. */
export interface TiffHeader {
  readonly width: number;
  readonly height: number;
  /** West, pixel width, north, pixel height (negative). */
  readonly origin: readonly [number, number];
  readonly pixel: readonly [number, number];
}

export interface ReadTiff extends TiffHeader {
  readonly samples: ArrayLike<number>;
  readonly bands: readonly ArrayLike<number>[];
}

async function withImage<T>(
  directory: string,
  item: UpstreamItem,
  key: string,
  read: (image: GeoTIFFImage) => T | Promise<T>,
): Promise<T> {
  const tiff = await fromFile(join(directory, item.assets[key]!.href));
  try {
    return await read(await tiff.getImage());
  } finally {
    tiff.close();
  }
}

function headerOf(image: GeoTIFFImage): TiffHeader {
  const [west = 0, north = 0] = image.getOrigin();
  const [dx = 0, dy = 0] = image.getResolution();
  return { width: image.getWidth(), height: image.getHeight(), origin: [west, north], pixel: [dx, dy] };
}

/** Reads the header of a file of the archive with geotiff.js, a reader that is not ours. */
export function readHeader(directory: string, item: UpstreamItem, key: string): Promise<TiffHeader> {
  return withImage(directory, item, key, headerOf);
}

/** Reads a file of the archive, as {@link readHeader} does, with its samples. */
export function readAsset(directory: string, item: UpstreamItem, key: string): Promise<ReadTiff> {
  return withImage(directory, item, key, async (image) => {
    const bands = (await image.readRasters()) as unknown as ArrayLike<number>[];
    return { ...headerOf(image), samples: bands[0]!, bands: [...bands] };
  });
}
