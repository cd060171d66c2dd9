import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SampleType } from "@swath/raster";
import { createGeoTiffWriter, deflateRuns, encodeGeoTiff, type GeoTiffOptions } from "../src/index.ts";
import { fileSink, fileSpool, nodeDeflate } from "../src/node.ts";
import { terrain, utmGrid } from "../test/rasters.ts";
import { measure } from "./measure.ts";

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const edge = 2500;
const cases: [string, SampleType, GeoTiffOptions][] = [
  ["level 1", "uint16", { level: 1 }],
  ["runs", "uint16", { deflate: deflateRuns }],
  ["level 3", "uint16", { level: 3 }],
  ["level 6", "uint16", { level: 6 }],
  ["level 1, by band", "uint16", { level: 1, interleave: "band" }],
  ["level 1, average overviews", "uint16", { overviewResampling: "average" }],
  ["level 1", "float32", {}],
  ["level 1, by band", "float32", { interleave: "band" }],
  ["level 1, predictor 3", "float32", { predictor: 3 }],
];
for (const [name, type, options] of cases) {
  const raster = terrain(type, edge, edge, 4);
  if (type === "float32") {
    // reflectance scaled from whole numbers, as the service extracts it
    for (const band of raster.bands)
      for (let i = 0; i < band.length; i++) band[i] = Math.round(band[i]! * 10000) / 10000;
  }
  const all = { nodata: type === "float32" ? Number.NaN : 0, deflate: nodeDeflate, ...options };
  await measure(
    `${edge} x ${edge} x 4 ${type} ${name}`,
    3,
    () => encodeGeoTiff(raster, all),
    (bytes) => mebibytes(bytes.length),
  );
}

const side = Number(process.argv[2] ?? 10980);
const strip = terrain("uint16", side, 512, 4);
const path = join(tmpdir(), `swath-bench-${process.pid}.tif`);
const work = async () => {
  const options = { nodata: 0, deflate: nodeDeflate, spool: fileSpool(), overviewResampling: "average" } as const;
  const shape = { grid: utmGrid(side, side), sampleType: "uint16", bandCount: 4 } as const;
  const writer = await createGeoTiffWriter(shape, await fileSink(path), options);
  for (let row = 0; row < side; row += 512) {
    const length = Math.min(512, side - row) * side;
    await writer.write({
      bands: strip.bands.map((band) => band.subarray(0, length)),
      valid: strip.valid.subarray(0, length),
    });
  }
  return writer.finish();
};
const start = performance.now();
const { size, peakBytes, bigTiff } = await work();
const seconds = ((performance.now() - start) / 1000).toFixed(1);
const resident = mebibytes(process.resourceUsage().maxRSS * 1024);
console.log(`${side} x ${side} x 4 uint16 to a file: ${seconds} s, ${mebibytes(size)}, BigTIFF ${bigTiff}`);
console.log(
  `held by the writer at most ${mebibytes(peakBytes)}; the whole process, the runs above included: ${resident}`,
);
await rm(path, { force: true });
