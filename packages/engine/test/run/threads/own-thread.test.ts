import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs } from "@swath/raster";
import { expect, test } from "vitest";
import type { Traffic } from "../../../src/run/files/traffic.ts";
import type { TileJob } from "../../../src/run/job.ts";
import { createRenderEngine } from "../../../src/run/threads/engine.ts";
import { OwnThread } from "../../../src/run/threads/own-thread.ts";
import { plainRead } from "../reads.ts";

const SIDE = 256;
const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 5_000_000, 502_560, 5_002_560], SIDE, SIDE);
const { signal } = new AbortController();

const tile = (href: string): TileJob => ({
  kind: "tile",
  grid: { crs: "EPSG:32633", transform: GRID.transform, width: SIDE, height: SIDE },
  scenes: [plainRead("scene", [{ href }], { resampling: "nearest" })],
  more: false,
  style: { rescale: [[0, SIDE]] },
  format: "png",
});

test("the calling thread renders what render threads render, refuses what they refuse, and says what it read", async () => {
  const values = Uint16Array.from({ length: SIDE * SIDE }, (_, i) => i % SIDE);
  const file = await encodeGeoTiff({ grid: GRID, bands: [values], valid: new Uint8Array(SIDE * SIDE).fill(1) });
  const server = createServer(({ url, headers }, response) => {
    if (url !== "/a.tif") return response.writeHead(403).end();
    const [start = 0, last = 0] = /(\d+)-(\d+)/
      .exec(headers.range ?? "")!
      .slice(1)
      .map(Number);
    const bytes = file.subarray(start, last + 1);
    const range = `bytes ${start}-${start + bytes.length - 1}/${file.length}`;
    return response.writeHead(206, { "content-range": range, "content-length": bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { blockCacheBytes: 1 << 20, sources: { assetHosts: [host], s3: { region: "us-west-2" } } };
  try {
    const own = new OwnThread(settings);
    const traffic: Traffic[] = [];
    own.onTraffic = (each) => void traffic.push(each);
    const job = tile(`http://${host}/a.tif`);
    const { bytes } = await own.render(job, { signal });
    expect(Buffer.compare(bytes, (await createRenderEngine(settings).image(job, { signal })).bytes)).toBe(0);
    expect(traffic).toMatchObject([{ failures: 0, paidRequests: 0 }]);
    expect(traffic[0]!.requests).toBeGreaterThan(0);

    await expect(own.render(tile(`http://${host}/b.tif`), { signal })).rejects.toMatchObject({
      name: "Refusal",
      code: "upstream-unavailable",
    });
    expect(traffic).toHaveLength(2);
    expect(traffic[1]!.failures).toBeGreaterThan(0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
