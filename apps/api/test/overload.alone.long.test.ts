import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveUpstream } from "@swath/sandbox/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { drive, Tally } from "./fleet/drive.ts";
import { FleetNode } from "./fleet/node.ts";

/** A short run by default; a long one by hand, e.g. SWATH_SOAK_SECONDS=120. */
const SECONDS = Number(process.env.SWATH_SOAK_SECONDS ?? 6);
const KEY = "key-of-the-soak";
/** More requests at once than the renderer takes. */
const BURST = 320;
const CALLERS = 48;
const MEGABYTE = 1 << 20;

let directory: string;
let upstream: Awaited<ReturnType<typeof serveUpstream>>;
let node: FleetNode;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-soak-"));
  upstream = await serveUpstream(inject("sandbox"));
  const unlimited = { SWATH_LIMIT_KEY_RPS: "100000", SWATH_LIMIT_KEY_BURST: "100000" };
  node = new FleetNode("node", {
    ...unlimited,
    SWATH_LIMIT_SERVICE_RPS: "100000",
    SWATH_LIMIT_SERVICE_BURST: "100000",
    SWATH_LIMIT_KEY_MONTHLY: "100000000",
    SWATH_API_KEYS: KEY,
    SWATH_UPSTREAM_URL: upstream.url,
    SWATH_DATA_DIR: directory,
    SWATH_WORKERS: "1",
    SWATH_BLOCK_CACHE_MB: "64",
    // every tile is rendered
    SWATH_TILE_CACHE_MB: "0",
    SWATH_LOG_LEVEL: "error",
  });
  await node.start();
}, 60_000);
afterAll(async () => {
  await node.kill();
  await upstream.close();
  await rm(directory, { recursive: true, force: true });
});

/** One of 640 tiles: who asks for an image that is being rendered shares it, and is no work. */
const tile = (i: number): string =>
  `/v1/tiles/true-color/WebMercatorQuad/14/${8800 + (i % 32)}/${5824 + (Math.floor(i / 32) % 20)}.png?datetime=2024-07-04/2024-07-04`;

async function ask(i: number, tally: Tally): Promise<void> {
  const sent = performance.now();
  const response = await fetch(`${node.url}${tile(i)}`, { headers: { "X-API-Key": KEY } });
  await response.arrayBuffer();
  tally.add(response.status, performance.now() - sent);
}

test(
  `at twice its capacity for ${SECONDS} s, a node refuses quickly what it cannot render, holds its memory, and recovers at once`,
  async () => {
    // capacity: as many tiles a second as 48 callers get who wait for each answer
    const calm = new Tally();
    const until = performance.now() + 3000;
    const caller = async (i: number): Promise<void> => {
      for (let at = i; performance.now() < until; at += CALLERS) await ask(at, calm);
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller(i)));
    const capacity = calm.count((status) => status === 200) / 3;
    const before = await node.memory();

    const tally = new Tally();
    const watch = setInterval(() => void node.memory(), 200);
    const burst = Promise.all(Array.from({ length: BURST }, (_, i) => ask(i, tally)));
    await drive(SECONDS, Math.max(10, Math.ceil(2 * capacity)), (i) => ask(i, tally));
    await burst;
    clearInterval(watch);

    const after = new Tally();
    await ask(1, after);
    const isRefusal = (status: number): boolean => status === 429 || status === 503;
    const facts = {
      capacity: Math.round(capacity),
      statuses: tally.statuses,
      refusedP50: tally.percentile(0.5, isRefusal),
      refusedP99: tally.percentile(0.99, isRefusal),
      servedP99: tally.percentile(0.99, (status) => status === 200),
      memory: [before, node.peak].map((bytes) => Math.round(bytes / MEGABYTE)),
      recovery: after.percentile(1),
    };
    console.log(JSON.stringify(facts));
    expect(after.count((status) => status === 200)).toBe(1);
    expect(tally.count((status) => ![200, 429, 503, 504].includes(status))).toBe(0);
    expect(tally.count(isRefusal)).toBeGreaterThan(0);
    // a refusal costs nothing; on a busy machine the burst itself takes a while to come in
    expect(facts.refusedP50).toBeLessThan(5000);
    expect(node.peak - before).toBeLessThan(400 * MEGABYTE);
  },
  (SECONDS + 120) * 1000,
);
