import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs } from "@swath/raster";
import { expect, test } from "vitest";
import type { TileJob } from "../../../src/run/job.ts";
import { RenderPool } from "../../../src/run/threads/pool.ts";
import { plainRead } from "../reads.ts";

const SIDE = 2048;
const [WEST, NORTH] = [500_000, 5_020_480];
const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [WEST, NORTH - 20_480, WEST + 20_480, NORTH], SIDE, SIDE);
/** Bytes that opening a file reads. */
const HEADER = 32_768;

/** Tiles side by side on the file's own pixels; neighbours go to different threads at squares of four. */
function jobs(href: string): TileJob[] {
  return Array.from({ length: 36 }, (_, i) => ({
    kind: "tile",
    grid: {
      crs: "EPSG:32633",
      transform: [10, 0, WEST + 2560 * (1 + (i % 6)), 0, -10, NORTH - 2560 * (1 + Math.floor(i / 6))],
      width: 256,
      height: 256,
    },
    scenes: [plainRead("scene", [{ href }], { resampling: "nearest" })],
    more: false,
    style: { rescale: [[0, 65_535]] },
    format: "png",
  }));
}

test("no two render threads read the same block", async () => {
  let state = 1;
  const noise = Uint16Array.from({ length: SIDE * SIDE }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 18;
  });
  const raster = { grid: GRID, bands: [noise], valid: new Uint8Array(SIDE * SIDE).fill(1) };
  const file = await encodeGeoTiff(raster, { blockSize: 1024 });
  const read: [start: number, end: number][] = [];
  let opened = 0;
  const server = createServer(({ headers }, response) => {
    const [start, last] = /(\d+)-(\d+)/
      .exec(headers.range ?? "")!
      .slice(1)
      .map(Number) as [number, number];
    const end = Math.min(last + 1, file.length);
    if (start < HEADER) opened += 1;
    else read.push([start, end]);
    const head = { "content-range": `bytes ${start}-${end - 1}/${file.length}`, "content-length": end - start };
    response.writeHead(206, head).end(file.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sources = { assetHosts: [host], s3: { region: "us-west-2" } };
  const pool = new RenderPool({ threads: 2, settings: { render: { blockCacheBytes: 64 << 20, sources } } });
  try {
    const { signal } = new AbortController();
    for (const job of jobs(`http://${host}/a.tif`)) await pool.render(job, { signal });
    // both have rendered, and all blocks of the file but those of its overviews were touched
    expect(opened).toBe(2);
    const total = read.reduce((sum, [start, end]) => sum + end - start, 0);
    expect(total).toBeGreaterThan(0.75 * file.length);
    expect(total).toBeLessThan(0.85 * file.length);
  } finally {
    await pool.close();
    server.closeAllConnections();
    server.close();
  }
});
