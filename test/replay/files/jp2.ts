import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Json, RecordedItem } from "../recordings.ts";
import { tiffOf } from "./contents.ts";

const run = promisify(execFile);

/** Pixels are this many times as wide as the recorded ones: encoding a whole tile of 10 m takes half a minute. */
const COARSER = 10;

/**
 * The bytes of a JPEG 2000 file over the recorded ground, in wider pixels, by GDAL: lossless, tiles of 1024, as the
 * archives of Sentinel-2 have them. `undefined` for what has no recorded grid.
 */
export async function jp2Of(item: RecordedItem, asset: Json): Promise<Uint8Array | undefined> {
  const coarse = coarser(item, asset);
  const tiff = coarse && tiffOf({ ...item, properties: { ...item.properties, ...coarse } }, { ...asset, ...coarse });
  if (tiff === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "replay-jp2-"));
  try {
    const [from, to] = [join(folder, "in.tif"), join(folder, `${basename(item.id)}.jp2`)];
    await writeFile(from, tiff);
    const options = ["REVERSIBLE=YES", "QUALITY=100", "BLOCKXSIZE=1024", "BLOCKYSIZE=1024"];
    await run("gdal_translate", ["-q", "-of", "JP2OpenJPEG", ...options.flatMap((each) => ["-co", each]), from, to]);
    return await readFile(to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function coarser({ properties }: RecordedItem, asset: Json): Json | undefined {
  const shape = asset["proj:shape"] ?? properties["proj:shape"];
  const transform = asset["proj:transform"] ?? properties["proj:transform"];
  if (!Array.isArray(shape) || !Array.isArray(transform)) return undefined;
  const [a, b, c, d, e, f] = transform as number[];
  return {
    "proj:shape": (shape as number[]).map((length) => Math.round(length / COARSER)),
    "proj:transform": [(a as number) * COARSER, b, c, d, (e as number) * COARSER, f],
  };
}
