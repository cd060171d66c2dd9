import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UpstreamItem } from "../../src/index.ts";
import { createUpstreamHandler, type ServedUpstream, serveUpstream } from "../../src/node.ts";
import { sharedArchive } from "../shared-archive.ts";

let directory = "";
let upstream: ServedUpstream;
beforeAll(async () => {
  directory = sharedArchive();
  upstream = await serveUpstream(directory);
});
afterAll(() => upstream.close());

async function oneItem(): Promise<UpstreamItem> {
  const response = await fetch(`${upstream.url}/search?collections=landsat-c2-l2`);
  return ((await response.json()) as { features: UpstreamItem[] }).features[0]!;
}

test("an asset's href is absolute and gives the file, whole and in ranges", async () => {
  const item = await oneItem();
  const { href } = item.assets.red!;
  expect(href.startsWith(`${upstream.url}/assets/landsat-c2-l2/`)).toBe(true);
  const file = readFileSync(join(directory, href.slice(upstream.url.length + 1)));
  const whole = await fetch(href);
  expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
  expect(whole.headers.get("content-length")).toBe(String(file.length));

  const size = file.length;
  for (const [range, start, end] of [
    ["bytes=0-99", 0, 99],
    [`bytes=${size - 10}-`, size - 10, size - 1],
    ["bytes=-7", size - 7, size - 1],
    [`bytes=5-${size + 100}`, 5, size - 1],
  ] as const) {
    const part = await fetch(href, { headers: { Range: range } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${start}-${end}/${size}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(start, end + 1))).toBe(true);
  }
  const beyond = await fetch(href, { headers: { Range: `bytes=${size}-` } });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
});

test("a file that its item names by an s3 address lies at the bucket's path of the server, and nothing else does", async () => {
  const ask = (path: string, init?: RequestInit) => fetch(`${new URL(upstream.url).origin}/${path}`, init);
  const { features } = (await (await fetch(`${upstream.url}/search?collections=cop-dem-glo-30&limit=1`)).json()) as {
    features: UpstreamItem[];
  };
  const { href } = features[0]!.assets.data!;
  expect(href).toMatch(/^s3:\/\/copernicus-dem-30m\/(Copernicus_DSM_COG_10_\w+_DEM)\/\1\.tif$/);
  const path = href.slice("s3://".length);
  const whole = Buffer.from(await (await ask(path)).arrayBuffer());
  expect(whole.equals(readFileSync(join(directory, "assets/s3", path)))).toBe(true);
  upstream.resetRequests();
  const part = await ask(path, { headers: { Range: "bytes=4-7" } });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(4, 8)]);
  expect(upstream.requests).toEqual({ search: 0, asset: 1, other: 0, bytes: 4 });
  for (const other of [
    "copernicus-dem-30m",
    "copernicus-dem-30m/none.tif",
    "copernicus-dem-30m/..%2f..%2f..%2farchive.json",
  ]) {
    expect((await ask(other)).status, other).toBe(404);
  }
  expect((await ask(path, { method: "PUT", body: "x" })).status).toBe(404);
});

test("HEAD gives length and entity tag, which a conditional request repeats", async () => {
  const { href } = (await oneItem()).assets.qa_pixel!;
  const head = await fetch(href, { method: "HEAD" });
  expect([head.status, await head.text(), Number(head.headers.get("content-length")) > 1000]).toEqual([200, "", true]);
  const again = await fetch(href, { headers: { "If-None-Match": head.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

test("a missing file is 404, and no path reaches outside the archive", async () => {
  for (const path of [
    "assets/none.tif",
    "assets/..%2farchive.json",
    "assets",
    "nothing",
    "collections/landsat-c2-l2/items/none",
  ]) {
    expect((await fetch(`${upstream.url}/${path}`)).status, path).toBe(404);
  }
});

test("searches, assets and bytes are counted", async () => {
  const { href } = (await oneItem()).assets.red!;
  upstream.resetRequests();
  await (await fetch(href, { headers: { Range: "bytes=0-999" } })).arrayBuffer();
  await (await fetch(`${upstream.url}/search`, { method: "POST", body: "{}" })).text();
  await (await fetch(upstream.url)).text();
  expect(upstream.requests).toEqual({ search: 1, asset: 1, other: 1, bytes: 1000 });
});

test("an intercepted request gets the answer given for it", async () => {
  const broken = await serveUpstream(directory, {
    intercept: (request) => (request.url.includes("/assets/") ? new Response("slow down", { status: 503 }) : undefined),
  });
  expect((await fetch(`${broken.url}/assets/x.tif`)).status).toBe(503);
  expect((await fetch(broken.url)).status).toBe(200);
  await broken.close();
});

test("the handler works without a server", async () => {
  const handler = createUpstreamHandler(directory, { baseUrl: "https://upstream.test/v1" });
  const response = await handler(new Request("https://upstream.test/v1/collections/landsat-c2-l2/items?limit=1"));
  expect(await response.json()).toMatchObject({ features: [{ collection: "landsat-c2-l2" }] });
});
