// A service over the archive in the folder that is its argument, in a process of its own: prints its port, ends with
// its standard input and then prints the most memory it held, in megabytes.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createNeighbourhoodSearch } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { pino } from "pino";
import { createApp } from "../src/app.ts";
import { fixedKeyRing } from "../src/keys/key-ring.ts";
import { memoryQueue } from "./memory-queue.ts";
import { createDrawer } from "../src/render/draw.ts";
import { linkSigner } from "../src/results/links.ts";
import { openResultStore } from "../src/results/store.ts";

const catalog = await openArchive(process.argv[2] ?? "");
const drawer = createDrawer({ blockCacheBytes: 1, sources: { assetHosts: [], s3: { region: "us-west-2" } } });
const app = createApp({
  catalog,
  tileScenes: createNeighbourhoodSearch(catalog),
  keys: fixedKeyRing(["test-key"]),
  limits: { admit: async () => {} },
  renderer: {
    render: (job, { signal }) => drawer.draw(job, { signal }),
    extract: drawer.extract,
    ping: async () => {},
    close: async () => {},
  },
  jobs: memoryQueue(() => Date.now()),
  results: openResultStore(join(tmpdir(), `swath-scale-${process.pid}`)),
  resultLinks: linkSigner(Buffer.from("a secret of tests")),
  now: () => new Date(),
  log: pino({ level: "silent" }),
  version: "0.0.0",
  tileCacheBytes: 0,
  http: {},
});
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(port));
process.stdin.on("end", () => {
  console.log(Math.round(process.resourceUsage().maxRSS / 1024));
  server.close();
  process.exit(0);
});
process.stdin.resume();
