// node main.ts [DIRECTORY]: makes the synthetic archive (20 s, once) and prints NDVI of one field through the years
import { resolve } from "node:path";
import { gridFromBounds, resolveCrs } from "@swath/raster";
import { makeSandbox } from "@swath/sandbox/node";
import { type Field, ndviOfField } from "./ndvi.ts";

const archive = resolve(process.argv[2] ?? "sandbox");
await makeSandbox(archive);

const field: Field = {
  type: "Polygon",
  coordinates: [
    [
      [13.4, 45.7],
      [13.46, 45.7],
      [13.46, 45.74],
      [13.4, 45.74],
      [13.4, 45.7],
    ],
  ],
};
// a raster of the field alone, 100 m pixels in UTM, shared by both sensors
const grid = gridFromBounds(resolveCrs("EPSG:32633"), [375400, 5061800, 380200, 5066500], 48, 47);

console.log("date        platform     NDVI   clear");
for (const { date, platform, ndvi, clear } of await ndviOfField(archive, field, grid)) {
  console.log(`${date}  ${platform.padEnd(11)}  ${ndvi.toFixed(3)}  ${(clear * 100).toFixed(0).padStart(4)} %`);
}
