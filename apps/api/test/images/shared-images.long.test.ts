import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterEach, expect, inject, test } from "vitest";
import { type Fleet, startFleet } from "../operations/fleet/fleet.ts";

const START_MS = 180_000;
const TILES = ["2204/1460", "2204/1461", "2205/1460", "2205/1461", "2203/1460", "2203/1461"].map(
  (place) => `/v1/tiles/true-color/WebMercatorQuad/12/${place}.png?datetime=2024-07-04/2024-07-04`,
);
const [TILE = "", OTHER = "", ...MORE] = TILES;

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

const shared = () => ({ SWATH_SHARED_IMAGES: "on" });
/** A busy machine may be slow: here it is asked what is found, not how soon. */
const patient = () => ({ ...shared(), SWATH_SHARED_IMAGES_MS: "5000" });

/** Asks one node for a tile. */
async function askNode(url: string | undefined, path: string, key?: string) {
  const answer = await fetch(`${url}${path}`, { headers: key === undefined ? {} : { "X-API-Key": key } });
  const hash = createHash("sha256")
    .update(new Uint8Array(await answer.arrayBuffer()))
    .digest("hex");
  const header = (name: string) => answer.headers.get(name);
  return {
    status: answer.status,
    hash,
    etag: header("ETag"),
    credit: header("X-Attribution"),
    scenes: header("X-Scenes-Used"),
  };
}

test("a tile that one node rendered is another's without a read of files, for everybody, and a restarted node's", {
  timeout: START_MS + 120_000,
}, async () => {
  fleet = await startFleet(inject("sandbox"), { apis: 2, workers: 0, environment: patient });
  const { apis, archive, s3 } = fleet;
  const [first, second] = apis;
  const { secret } = await fleet.createKey("shared");
  const images = () => [...s3.objects.keys()].filter((name) => name.startsWith("results/swath/images/"));

  expect((await askNode(second?.url, TILE)).status).toBe(401);
  const rendered = await askNode(first?.url, TILE, secret);
  expect(rendered.status).toBe(200);
  // the image, and the answer of its address
  await expect.poll(() => images().length).toBe(2);
  const reads = archive.records.length;
  expect(reads).toBeGreaterThan(0);

  const anonymous = await askNode(second?.url, TILE);
  const known = await askNode(second?.url, TILE, secret);
  await first?.stop();
  await first?.start();
  const restarted = await askNode(first?.url, TILE);
  for (const found of [anonymous, known, restarted]) expect(found).toEqual(rendered);
  expect(archive.records.length).toBe(reads);
  expect(s3.records.filter(({ verdict }) => verdict !== "ok" && verdict !== "NoSuchKey")).toEqual([]);

  // what somebody has changed in the bucket is rendered again, and mended
  const wasBefore = new Map(s3.objects);
  for (const name of images()) {
    const object = s3.objects.get(name);
    if (object !== undefined)
      s3.objects.set(name, { ...object, bytes: object.bytes.map((byte, i) => (i === 60 ? byte ^ 1 : byte)) });
  }
  await first?.stop();
  await first?.start();
  expect((await askNode(first?.url, TILE)).status).toBe(401);
  const again = await askNode(first?.url, TILE, secret);
  expect(again.hash).toBe(rendered.hash);
  expect(archive.records.length).toBeGreaterThan(reads);
  const isMended = () =>
    images().every((name) => s3.objects.get(name)?.bytes.byteLength === wasBefore.get(name)?.bytes.byteLength);
  await expect.poll(isMended).toBe(true);
  await expect.poll(async () => (await askNode(second?.url, TILE)).status).toBe(200);
});

test("a bucket that does not answer is soon left alone, and costs no tile its answer", {
  timeout: START_MS + 120_000,
}, async () => {
  const held: ServerResponse[] = [];
  fleet = await startFleet(inject("sandbox"), {
    apis: 1,
    workers: 0,
    environment: shared,
    intercept: (_, response) => {
      held.push(response);
      return true;
    },
  });
  const { secret } = await fleet.createKey("slow");
  const url = fleet.apis[0]?.url;
  for (const path of [TILE, OTHER, ...MORE]) expect((await askNode(url, path, secret)).status).toBe(200);
  // a tile is looked up by its address and by its plan, after three faults by one of them at most; listings are no look-ups
  const asked = held.filter(({ req }) => req.url?.includes("/images/")).map(({ req }) => req.method);
  const lookUps = asked.filter((method) => method === "GET").length;
  expect(lookUps).toBeGreaterThan(0);
  expect(lookUps).toBeLessThanOrEqual(3 + TILES.length - 2);
  expect(asked.filter((method) => method === "PUT").length).toBeGreaterThan(0);
  expect(await fleet.apis[0]?.stop()).toBe(0);
  for (const response of held) response.destroy();
});
