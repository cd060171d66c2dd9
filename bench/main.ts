// npm run bench -- --cql2 measures the filters alone (bench/cql2.ts).
// npm run bench [-- --peers] [--only=cold,warm,mosaic,http,session,extract,points,bytes] [--quick]
// Measures the raster core on files it makes itself; with --peers the same work goes through GDAL, rasterio and MapServer.
import { cpus } from "node:os";
import { createRenderEngine } from "../apps/api/src/render/engine.ts";
import { largeAreas, points } from "./areas.ts";
import { makeDataset } from "./data/dataset.ts";
import { renderSettings, versions } from "./jobs.ts";
import { serviceTiles, session } from "./sessions.ts";
import { bytesPerTile, coldTiles, warmTiles } from "./tiles.ts";

const options = process.argv.slice(2);
const peers = options.includes("--peers");
const quick = options.includes("--quick");
const only = options
  .find((option) => option.startsWith("--only="))
  ?.slice(7)
  .split(",");
const print = (line = ""): void => console.log(line);

if (options.includes("--cql2")) {
  const { cql2Filters } = await import("./cql2.ts");
  cql2Filters(print);
  process.exit(0);
}

const sections = {
  cold: coldTiles,
  warm: warmTiles,
  bytes: bytesPerTile,
  http: serviceTiles,
  session,
  points,
  extract: largeAreas,
};
const unknown = only?.filter((name) => !(name in sections)) ?? [];
if (unknown.length > 0) {
  console.error(`Unknown section ${unknown.join(", ")}: expected ${Object.keys(sections).join(", ")}.`);
  process.exit(2);
}

// servers under test end with this process
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
const { directory, ratios } = await makeDataset(print);
print(`${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${versions()}`);
print(
  `Deflate ratios: ${Object.entries(ratios)
    .map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`)
    .join(", ")}`,
);
const bench = { directory, peers, quick, print, engine: () => createRenderEngine(renderSettings(directory)) };
for (const [name, run] of Object.entries(sections)) {
  if (only !== undefined && !only.includes(name)) continue;
  print();
  await run(bench);
}
process.exit(0);
