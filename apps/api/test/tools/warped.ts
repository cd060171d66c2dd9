import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TileMatrixSetId, tileBounds } from "@swath/raster";
import { inject } from "vitest";
import { gdalWarpTo } from "../../../../test/tools/gdal-process.ts";
import { json } from "./answers.ts";
import { gdalPixels } from "./gdal.ts";
import type { TestService } from "./harness.ts";

/** A map tile and the pixels of its edge. */
export interface AskedTile {
  readonly set: TileMatrixSetId;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The tile at a place. */
export function tileAt(z: number, longitude: number, latitude: number): Pick<AskedTile, "z" | "x" | "y"> {
  const fromNorth = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
  return { z, x: Math.floor(((longitude + 180) / 360) * 2 ** z), y: Math.floor(fromNorth * 2 ** z) };
}

/** Stored numbers of bands of a scene of the archive on the pixels of a tile, by gdalwarp: bilinear, of the full resolution. */
export async function warpedByGdal(
  service: TestService,
  item: string,
  bands: readonly string[],
  { set, z, x, y, size }: AskedTile,
): Promise<readonly ArrayLike<number>[]> {
  const document = await json(await service.get(`/v1/collections/sentinel-2-l2a/items/${item}`));
  const { assets } = document as { assets: Record<string, { href: string }> };
  const folder = await mkdtemp(join(tmpdir(), "swath-warped-"));
  try {
    const extent = tileBounds(set, z, x, y).map(String);
    const warped = bands.map(async (band) => {
      const source = join(inject("sandbox"), new URL(assets[band]?.href ?? "").pathname.replace("/archive/", ""));
      const target = join(folder, `${band}.tif`);
      const grid = ["-t_srs", "EPSG:3857", "-te", ...extent, "-ts", String(size), String(size)];
      const exact = [
        "-r",
        "bilinear",
        "-et",
        "0",
        "-ovr",
        "NONE",
        "-ot",
        "Float32",
        "-srcnodata",
        "0",
        "-dstnodata",
        "0",
      ];
      await gdalWarpTo(source, target, [...grid, ...exact]);
      return (await gdalPixels(target, folder))[0] ?? new Float32Array();
    });
    return await Promise.all(warped);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
