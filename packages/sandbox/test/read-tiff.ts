import { join } from "node:path";
import { fromFile } from "geotiff";
import type { UpstreamItem } from "../src/index.ts";

export interface ReadTiff {
  readonly width: number;
  readonly height: number;
  /** West, pixel width, north, pixel height (negative). */
  readonly origin: readonly [number, number];
  readonly pixel: readonly [number, number];
  readonly samples: ArrayLike<number>;
  readonly bands: readonly ArrayLike<number>[];
}

/** Reads a file of the archive with geotiff.js, a reader that is not ours. */
export async function readAsset(directory: string, item: UpstreamItem, key: string): Promise<ReadTiff> {
  const tiff = await fromFile(join(directory, item.assets[key]!.href));
  try {
    const image = await tiff.getImage();
    const bands = (await image.readRasters()) as unknown as ArrayLike<number>[];
    const [west = 0, north = 0] = image.getOrigin();
    const [dx = 0, dy = 0] = image.getResolution();
    return {
      width: image.getWidth(),
      height: image.getHeight(),
      origin: [west, north],
      pixel: [dx, dy],
      samples: bands[0]!,
      bands: [...bands],
    };
  } finally {
    tiff.close();
  }
}
