// npm run bench [-- --sections NAME,…|all] [--quick] [--no-peers] [--write]
// Measures the service and its libraries on files it makes itself, and the same work by GDAL, rasterio and MapServer where they
// are installed. --write puts the results into docs/performance.md.
// npm run bench -- --profiles: where the time goes instead, as flame graphs in docs/images.
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRenderEngine } from "../packages/engine/src/run/threads/engine.ts";
import { archiveSearches } from "./archive.ts";
import { charges } from "./charges.ts";
import { cql2Filters } from "./cql2.ts";
import { makeDataset } from "./data/dataset.ts";
import { extractions } from "./extractions.ts";
import { far } from "./far.ts";
import { fileParts } from "./file-parts.ts";
import { worldGrid } from "./grid.ts";
import { growth } from "./growth.ts";
import { renderSettings, versions } from "./jobs.ts";
import { openEo } from "./openeo.ts";
import { findPeers } from "./peers.ts";
import { points } from "./points.ts";
import { writeProfiles } from "./profiles.ts";
import { writeReport } from "./report.ts";
import { series } from "./series.ts";
import { session } from "./session.ts";
import type { Bench } from "./table.ts";
import { bytesPerTile } from "./tile-bytes.ts";
import { coldTiles } from "./tiles-cold.ts";
import { httpTiles } from "./tiles-http.ts";
import { warmTiles } from "./tiles-warm.ts";
import { unitLoad } from "./units.ts";

/** The sections that can be measured, by the name of their part of docs/performance.md. */
const sections: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  cold: coldTiles,
  warm: warmTiles,
  bytes: bytesPerTile,
  http: httpTiles,
  session,
  grid: worldGrid,
  far,
  points,
  series,
  openeo: openEo,
  extract: extractions,
  cql2: cql2Filters,
  units: unitLoad,
  charges,
  growth,
  archive: archiveSearches,
  parts: fileParts,
};

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        sections: { type: "string", default: "all" },
        quick: { type: "boolean", default: false },
        peers: { type: "boolean", default: true },
        write: { type: "boolean", default: false },
        profiles: { type: "boolean", default: false },
      },
      allowNegative: true,
    });
    return values;
  } catch (error) {
    return fail(
      `${(error as Error).message}\nOptions: --sections NAME,…|all, --quick, --no-peers, --write, --profiles.`,
    );
  }
}

const { sections: wanted, quick, peers: wantsPeers, write, profiles } = options();
const names = wanted === "all" ? Object.keys(sections) : wanted.split(",");
const unknown = names.filter((name) => !(name in sections));
if (unknown.length > 0)
  fail(`Unknown section ${unknown.join(", ")}: expected all or ${Object.keys(sections).join(", ")}.`);

const peers = wantsPeers ? findPeers() : undefined;
const hasPeers = peers !== undefined && peers.missing.length === 0;
if (peers !== undefined && !hasPeers)
  console.error(`Without other programs: ${peers.missing.join(", ")} not installed.`);

// servers under test end with this process
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
const { directory, ratios } = await makeDataset(console.error);

if (profiles) {
  await writeProfiles(directory, join(import.meta.dirname, "../docs/images"));
  process.exit(0);
}

const today = new Date().toISOString().slice(0, 10);
const timeSince = (start: number): string => {
  const seconds = (performance.now() - start) / 1000;
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${(seconds / 60).toFixed(1)} minutes`;
};

/** Prints a part of the report; with --write it replaces the same part of the page, at once: a later section may fail. */
async function report(name: string, text: string): Promise<void> {
  console.log(`## ${name}\n\n${text}\n`);
  if (!write) return;
  const missing = await writeReport(new Map([[name, text]]));
  if (missing.length > 0) console.error(`docs/performance.md has no markers for ${missing.join(", ")}.`);
}

const began = performance.now();
for (const name of names) {
  const lines: string[] = [];
  const start = performance.now();
  await sections[name]!({
    directory,
    quick,
    peers: hasPeers,
    print: (line = "") => lines.push(line),
    progress: (task) => console.error(`${name}: ${task}`),
    engine: () => createRenderEngine(renderSettings(directory)),
  });
  const run = `Measured on ${today} in ${timeSince(start)}${quick ? ", a quick run of few rounds" : ""}.`;
  await report(name, [...lines, "", `*${run}*`].join("\n"));
}

const deflate = Object.entries(ratios).map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`);
const setup = [
  `- ${names.length} of ${Object.keys(sections).length} sections in ${timeSince(began)}, ${today}.`,
  `- ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${(totalmem() / 2 ** 30).toFixed(0)} GB of memory, ${process.platform} ${process.arch}.`,
  `- ${versions()}.`,
  ...(hasPeers ? [`- ${peers.versions}.`] : []),
  `- Decoded bytes of the files by their bytes: ${deflate.join(", ")}.`,
];
await report("setup", setup.join("\n"));
process.exit(0);
