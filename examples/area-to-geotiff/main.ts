// node main.ts OUT CRS PIXEL WEST,SOUTH,EAST,NORTH FILE...: one band of each file, warped to square pixels of a CRS
import { basename } from "node:path";
import { openCog } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { type Bbox, gridFromBounds, resolveCrs, transformBounds } from "@swath/raster";
import { type Band, writeArea } from "./area.ts";

const [out, crsName = "", size = "", box = "", ...paths] = process.argv.slice(2);
if (out === undefined || paths.length === 0) {
  console.error("node main.ts OUT CRS PIXEL WEST,SOUTH,EAST,NORTH FILE...");
  process.exit(2);
}
const crs = resolveCrs(crsName);
const [west, south, east, north] = box.split(",").map(Number) as unknown as Bbox;
const [minX, minY, maxX, maxY] = transformBounds([west, south, east, north], resolveCrs("EPSG:4326"), crs);
const pixel = Number(size);
const [width, height] = [Math.ceil((maxX - minX) / pixel), Math.ceil((maxY - minY) / pixel)];
const grid = gridFromBounds(crs, [minX, maxY - height * pixel, minX + width * pixel, maxY], width, height);

const bands = await Promise.all(
  paths.map(async (path): Promise<Band> => {
    const { bands, nodata } = await openCog(fileSource(path));
    const { scale = 1, offset = 0 } = bands[0] ?? {};
    return { name: basename(path, ".tif"), path, scale, offset, nodata };
  }),
);
await writeArea(bands, grid, out);
console.log(`${width} × ${height} × ${bands.length} pixels in ${out}`);
