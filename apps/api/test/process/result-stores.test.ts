import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResultStore } from "@swath/store";
import { linkSigner, openResultFolder, openResults } from "@swath/store/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../../../test/tools/s3-server.ts";
import { NOW, testService } from "../tools/harness.ts";

const FILE = "scene_2024-07-04.tif";
const signer = linkSigner(Buffer.from("a secret of results"), "/v1/results");

let directory: string;
let s3: S3Server;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-results-"));
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3.close();
  await rm(directory, { recursive: true, force: true });
});
afterEach(() => {
  s3.objects.clear();
  s3.records.length = 0;
});

const bucketStore = (isPublic = false, secretAccessKey = s3.account.secretAccessKey): ResultStore => {
  const { region, endpoint, account } = s3;
  const credentials = { ...account, secretAccessKey };
  return openResults({ dataDir: directory, isPublic, url: "s3://results/x", s3: { region, endpoint, credentials } });
};

const bytesOf = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7919) % 251));

async function publish(store: ResultStore, bytes: Uint8Array): Promise<string> {
  const { id, directory: place } = await store.allocate();
  await writeFile(join(place, FILE), bytes);
  await store.publish(id, FILE);
  return id;
}

describe.each([
  ["a folder", () => openResultFolder(join(directory, "folder"))],
  ["a bucket", () => bucketStore()],
])("results in %s", (_, open) => {
  test("come back whole and in ranges by a signed link", async () => {
    const store = open();
    const bytes = bytesOf(100_000);
    const id = await publish(store, bytes);
    const service = await testService({ results: store, resultLinks: signer });
    const { href } = signer.sign("", id, FILE, NOW);
    const whole = await service.request(href);
    expect([whole.status, whole.headers.get("Content-Length")]).toEqual([200, "100000"]);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await service.request(href, { headers: { Range: "bytes=99990-" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, "bytes 99990-99999/100000"]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(99_990))).toBe(true);
    const head = await service.request(href, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([200, "100000", ""]);
    const known = { "If-None-Match": whole.headers.get("ETag") ?? "" };
    expect((await service.request(href, { headers: known })).status).toBe(304);
    const bare = await testService({ results: store, resultLinks: signer }, { check: false });
    expect((await bare.request(href, { headers: { Range: "bytes=100000-" } })).status).toBe(416);
  });

  test("are gone after an hour to the link, and after a day to everybody", async () => {
    const store = open();
    const id = await publish(store, bytesOf(10));
    const { href } = signer.sign("", id, FILE, NOW);
    const later = new Date(NOW.getTime() + 3_600_000);
    const service = await testService({ results: store, resultLinks: signer, now: () => later });
    expect((await service.request(href)).status).toBe(404);
    expect(await store.removeExpired(Date.now() - 60_000)).toEqual([]);
    expect(await store.find(id, FILE)).toBeDefined();
    expect(await store.removeExpired(Date.now() + 60_000)).toContain(id);
    expect(await store.find(id, FILE)).toBeUndefined();
  });

  test.each([
    ["another folder", "..", "x.tif"],
    ["a folder above", "0".repeat(32), "../../x.tif"],
    ["a hidden file", "0".repeat(32), ".tif"],
    ["no TIFF", "0".repeat(32), "results-secret"],
    ["a null character", "0".repeat(32), "a\0.tif"],
    ["a short id", "0".repeat(31), "x.tif"],
  ])("no name leads to %s", async (_, id, file) => {
    const store = open();
    expect(await store.find(id, file)).toBeUndefined();
    const { href } = signer.sign("", encodeURIComponent(id), file, NOW);
    const service = await testService({ results: store, resultLinks: signer });
    expect((await service.request(href)).status).toBe(404);
    expect(s3.records).toEqual([]);
  });
});

test("clients are sent to the bucket only where it is public-facing, and never with their key", async () => {
  const id = await publish(bucketStore(), bytesOf(1000));
  const { href } = signer.sign("", id, FILE, NOW);
  const closed = await testService({ results: bucketStore(), resultLinks: signer });
  expect((await closed.request(href)).status).toBe(200);
  const service = await testService({ results: bucketStore(true), resultLinks: signer });
  const answer = await service.request(href);
  expect(answer.status).toBe(307);
  const address = answer.headers.get("Location") ?? "";
  expect(new URL(address).searchParams.get("X-Amz-Expires")).toBe("3600");
  const direct = await fetch(address);
  expect([direct.status, (await direct.arrayBuffer()).byteLength]).toEqual([200, 1000]);
  expect((await fetch(address.replace("Signature=", "Signature=0"))).status).toBe(403);
  expect((await service.get(href)).status).toBe(200);
});

test("a bucket that refuses the service's keys is 503 with a time to wait, not a file that is gone", async () => {
  const id = await publish(bucketStore(), bytesOf(10));
  const { href } = signer.sign("", id, FILE, NOW);
  const service = await testService({ results: bucketStore(false, "wrong"), resultLinks: signer });
  const answer = await service.request(href);
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "10"]);
  expect(await answer.json()).toMatchObject({
    code: "upstream-unavailable",
    detail: "The store of output files does not answer.",
  });
});
