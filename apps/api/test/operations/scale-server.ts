// A service over the archive in the folder that is its argument, in a process of its own: prints its port, ends with
// its standard input and then prints the most memory it held, in megabytes, the processor time that its answers
// took, and the time that reading and writing the JSON of a page takes, both in milliseconds.

import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownerIdentity } from "@swath/accounts";
import { createNeighbourhoodSearch } from "@swath/catalog";
import { openArchive, pageTokens } from "@swath/catalog/node";
import { inlineRenderer } from "@swath/engine/node";
import { defaultRegistry } from "@swath/schema";
import { linkSigner, openResultFolder } from "@swath/store/node";
import { createHttpServer } from "@swath/web/server";
import { pino } from "pino";
import type { Services } from "../../src/operations/services.ts";
import { createApp } from "../../src/service/app.ts";
import { leanProfile } from "../../src/service/profiles/lean.ts";
import { memoryQueue } from "../process/memory-queue.ts";
import { NO_ANGLES } from "../tools/no-angles.ts";

const catalog = await openArchive(process.argv[2] ?? "");
const services: Services = {
  registry: defaultRegistry,
  catalog,
  tileScenes: createNeighbourhoodSearch(catalog),
  keys: { identify: async (key) => (key === "test-key" ? ownerIdentity(key) : undefined) },
  limits: { admit: async () => {} },
  renderer: inlineRenderer({ blockCacheBytes: 1, sources: { assetHosts: [], s3: { region: "us-west-2" } } }),
  angles: NO_ANGLES,
  jobs: memoryQueue(() => Date.now()),
  results: openResultFolder(join(tmpdir(), `swath-scale-${process.pid}`)),
  resultLinks: linkSigner(Buffer.from("a secret of tests"), "/v1/results"),
  pageTokens: pageTokens(Buffer.from("a secret of tests")),
  now: () => new Date(),
  log: pino({ level: "silent" }),
  version: "0.0.0",
  tileCacheBytes: 0,
  http: {},
};
const app = createApp(services, leanProfile(services));
const server = createHttpServer(app, { hostname: "127.0.0.1" });
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));

/** Processor time since then, milliseconds. */
function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The time that this machine takes to read and write the JSON of a page of 1,000. */
async function jsonTime(): Promise<number> {
  const address = "http://service.test/v1/search?limit=1000";
  const page = await (await app.request(address, { headers: { "X-API-Key": "test-key" } })).text();
  const times = 20;
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) JSON.stringify(JSON.parse(page));
  return cpuSince(start) / times;
}

const idle = process.cpuUsage();
process.stdin.on("end", async () => {
  const spent = cpuSince(idle);
  console.log(Math.round(process.resourceUsage().maxRSS / 1024));
  console.log(spent);
  console.log(await jsonTime());
  server.close();
  process.exit(0);
});
process.stdin.resume();
