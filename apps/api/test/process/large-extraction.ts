import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "@swath/catalog/node";
import { inlineRenderer, prepare } from "@swath/engine/node";
import { defaultRegistry } from "@swath/schema";
import { openResultFolder } from "@swath/store/node";
import { extractionRequest, type ProcessRequest } from "../../src/bodies/process.ts";
import { NO_ANGLES } from "../tools/no-angles.ts";

/** Runs one job in a process of its own and prints what it took: `node large-extraction.ts ARCHIVE REQUEST`. */
const [archive = "", request = "{}"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "swath-large-"));
try {
  const renderer = inlineRenderer({
    blockCacheBytes: 64 << 20,
    sources: { archiveDirectory: archive, assetHosts: [], s3: { region: "us-west-2" } },
  });
  const registry = defaultRegistry;
  const parts = {
    catalog: await openArchive(archive),
    angles: NO_ANGLES,
    now: () => new Date(),
    registry,
    renderer,
    results: openResultFolder(join(folder, "results")),
  };
  const { signal } = new AbortController();
  const prepared = await prepare(parts, extractionRequest(JSON.parse(request) as ProcessRequest), { signal });
  const before = process.resourceUsage().maxRSS;
  const started = performance.now();
  const { extraction } = await prepared.run({ signal });
  const { maxRSS } = process.resourceUsage();
  const report = {
    grownMb: (maxRSS - before) / 1024,
    seconds: (performance.now() - started) / 1000,
    bytes: extraction.bytes,
  };
  console.log(JSON.stringify(report));
} finally {
  await rm(folder, { recursive: true, force: true });
}
