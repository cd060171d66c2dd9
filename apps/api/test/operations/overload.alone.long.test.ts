import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveUpstream } from "@swath/sandbox/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Tally } from "./fleet/drive.ts";
import { FleetNode } from "./fleet/node.ts";

/** A short run by default; a long one by hand, e.g. SWATH_SOAK_SECONDS=120. */
const SECONDS = Number(process.env.SWATH_SOAK_SECONDS ?? 6);
const KEY = "key-of-the-soak";
/** Callers who wait for their answers: of a node that is busy, at most, and more than its renderer takes, which is 256. */
const FEW = 48;
/** Half of the time that a request has, milliseconds: what the few of them ask for is rendered within it. */
const HALF_MS = 14_000;
const MANY = 640;
/** Wait of a caller who was refused, milliseconds. */
const PAUSE_MS = 250;
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
});
afterAll(async () => {
  await node.kill();
  await upstream.close();
  await rm(directory, { recursive: true, force: true });
});

/**
 * One of 640 tiles: who asks for an image that is being rendered shares it, and is no work. They have four times the pixels of
 * others, so that rendering is what takes longest, and not the server's reading of requests.
 */
const tile = (i: number): string =>
  `/v1/tiles/true-color/WebMercatorQuad/14/${8800 + (i % 32)}/${5824 + (Math.floor(i / 32) % 20)}@2x.png?datetime=2024-07-04/2024-07-04`;

async function ask(i: number, tally: Tally): Promise<number> {
  const sent = performance.now();
  const response = await fetch(`${node.url}${tile(i)}`, { headers: { "X-API-Key": KEY } });
  await response.arrayBuffer();
  tally.add(response.status, performance.now() - sent);
  return response.status;
}

/** Each of the callers asks for the next tile as soon as it has its answer, and a little later where it was refused. */
async function askTogether(callers: number, seconds: number, tally: Tally): Promise<void> {
  const until = performance.now() + seconds * 1000;
  let next = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const status = await ask(next++, tally);
      if (isRefusal(status)) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

const isRefusal = (status: number): boolean => status === 429 || status === 503;

test(
  `with more callers than it takes, for ${SECONDS} s, a node refuses quickly what it cannot render, holds its memory, and recovers at once`,
  async () => {
    const alone = new Tally();
    for (let i = 0; i < 5; i++) await ask(i, alone);
    const few = Math.max(2, Math.min(FEW, Math.floor(HALF_MS / alone.percentile(0.5))));
    const calm = new Tally();
    await askTogether(few, 3, calm);
    const before = await node.memory();

    const tally = new Tally();
    const watch = setInterval(() => void node.memory(), 200);
    await askTogether(MANY, SECONDS, tally);
    clearInterval(watch);

    const after = new Tally();
    await ask(1, after);
    const facts = {
      alone: alone.percentile(0.5),
      few,
      calm: calm.statuses,
      statuses: tally.statuses,
      refusedP50: tally.percentile(0.5, isRefusal),
      refusedP99: tally.percentile(0.99, isRefusal),
      servedP50: tally.percentile(0.5, (status) => status === 200),
      servedP99: tally.percentile(0.99, (status) => status === 200),
      memory: [before, node.peak].map((bytes) => Math.round(bytes / MEGABYTE)),
      recovery: after.percentile(1),
    };
    console.log(JSON.stringify(facts));
    expect(calm.count((status) => status !== 200)).toBe(0);
    expect(after.count((status) => status === 200)).toBe(1);
    expect(tally.count((status) => ![200, 429, 503, 504].includes(status))).toBe(0);
    expect(tally.count(isRefusal)).toBeGreaterThan(0);
    // a refusal does not wait for its turn, as images do
    expect(facts.refusedP50).toBeLessThan(facts.servedP50 / 2);
    expect(node.peak - before).toBeLessThan(400 * MEGABYTE);
  },
  (SECONDS + 120) * 1000,
);
