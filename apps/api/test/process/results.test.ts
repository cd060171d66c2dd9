import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkSigner, openResultFolder, secretFile } from "@swath/store/node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NOW, testService } from "../tools/harness.ts";

const SIGNER = linkSigner(Buffer.from("a secret"), "/v1/results");
const HOUR = 3_600_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-results-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function published(text = "0123456789"): Promise<{ id: string; link: string }> {
  const { id, directory } = await openResultFolder(join(folder, "results")).allocate();
  await writeFile(join(directory, "a.tif"), text);
  return { id, link: SIGNER.sign("", id, "a.tif", NOW).href };
}

const service = (now: () => Date = () => NOW) =>
  testService({ results: openResultFolder(join(folder, "results")), resultLinks: SIGNER, now });

test("a signed link serves the file without a key", { tags: ["X31"] }, async () => {
  const { link } = await published();
  const response = await (await service()).request(link);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("0123456789");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/tiff; application=geotiff; profile=cloud-optimized",
    "accept-ranges": "bytes",
    "content-disposition": 'attachment; filename="a.tif"',
  });
});

test.each([
  { name: "just before its hour is over", after: HOUR - 1, status: 200 },
  { name: "when its hour is over", after: HOUR, status: 404 },
  { name: "a day later", after: 24 * HOUR, status: 404 },
])("a link $name answers $status", { tags: ["X32"] }, async ({ after, status }) => {
  const { link } = await published();
  const served = await service(() => new Date(NOW.getTime() + after));
  expect((await served.request(link)).status).toBe(status);
});

/** Ids and signatures are random: one in some hundreds begins as its replacement does. */
const unlike =
  (one: string, other: string) =>
  (found: string): string =>
    found === one ? other : one;

test.each([
  { name: "no signature", change: (link: string) => link.split("?")[0] ?? "" },
  { name: "an empty signature", change: (link: string) => link.replace(/sig=.*/, "sig=") },
  { name: "another signature", change: (link: string) => link.replace(/sig=../, unlike("sig=AA", "sig=BB")) },
  { name: "half a signature", change: (link: string) => link.slice(0, -20) },
  { name: "a later end", change: (link: string) => link.replace(/expires=\d+/, "expires=9999999999") },
  { name: "an end that is no number", change: (link: string) => link.replace(/expires=\d+/, "expires=never") },
  { name: "another file", change: (link: string) => link.replace("a.tif", "b.tif") },
  { name: "another result", change: (link: string) => link.replace(/results\/../, unlike("results/00", "results/11")) },
])("a link with $name answers 404", { tags: ["X32"] }, async ({ change }) => {
  const { link } = await published();
  const response = await (await service()).request(change(link));
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "not-found" });
});

test("links of another secret are no good", async () => {
  const { id } = await published();
  const other = linkSigner(Buffer.from("another"), "/v1/results").sign("", id, "a.tif", NOW).href;
  expect((await (await service()).request(other)).status).toBe(404);
});

test.each([
  "../secret.tif",
  "..%2f..%2fsecret.tif",
  "a.tif%00.tif",
  ".hidden.tif",
  "a.txt",
  "a.tif.part",
  "x/../../a.tif",
])("%s leads nowhere, even when it is signed", async (file) => {
  const { id } = await published();
  await writeFile(join(folder, "secret.tif"), "secret");
  await writeFile(join(folder, "results", "secret.tif"), "secret");
  const store = openResultFolder(join(folder, "results"));
  expect(await store.find(id, file)).toBeUndefined();
  expect(await store.find("..", "secret.tif")).toBeUndefined();
  const { href } = SIGNER.sign("", id, decodeURIComponent(file), NOW);
  const response = await (await service()).request(href.replace(encodeURIComponent(decodeURIComponent(file)), file));
  expect(response.status).toBe(404);
});

test.each([
  { range: "bytes=2-4", status: 206, text: "234", content: "bytes 2-4/10" },
  { range: "bytes=-2", status: 206, text: "89", content: "bytes 8-9/10" },
  { range: "bytes=7-", status: 206, text: "789", content: "bytes 7-9/10" },
  { range: "bytes=0-0,5-6", status: 200, text: "0123456789", content: null },
])("Range $range answers $status", async ({ range, status, text, content }) => {
  const { link } = await published();
  const response = await (await service()).request(link, { headers: { Range: range } });
  expect([response.status, response.headers.get("Content-Range")]).toEqual([status, content]);
  expect(await response.text()).toBe(text);
});

test("HEAD gives the size without the file", async () => {
  const { link } = await published();
  const response = await (await service()).request(link, { method: "HEAD" });
  expect([response.status, response.headers.get("Content-Length"), await response.text()]).toEqual([200, "10", ""]);
});

test("the secret is made once, for all processes that start at the same time, and only its owner reads it", async () => {
  const secrets = await Promise.all(
    Array.from({ length: 8 }, () => secretFile(join(folder, "data"), "results-secret")),
  );
  expect(new Set(secrets.map((secret) => secret.toString("hex"))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
  expect(await secretFile(join(folder, "data"), "results-secret")).toEqual(secrets[0]);
  expect((await stat(join(folder, "data", "results-secret"))).mode & 0o077).toBe(0);
  expect(await readdir(join(folder, "data"))).toEqual(["results-secret"]);
});

test("a damaged secret stops the start rather than ending every link in silence", async () => {
  await writeFile(join(folder, "results-secret"), "short\n");
  await expect(secretFile(folder, "results-secret")).rejects.toThrow("64 hexadecimal digits");
  expect(await readFile(join(folder, "results-secret"), "utf8")).toBe("short\n");
});

test("what was last written a day ago is deleted, unfinished files too, and nothing else", {
  tags: ["X32"],
}, async () => {
  const store = openResultFolder(join(folder, "results"));
  const old = await published();
  const torn = await store.allocate();
  await writeFile(join(torn.directory, "b.tif.1234.part"), "half");
  const fresh = await published();
  await mkdir(join(folder, "results", "not-a-result"));
  const day = new Date(Date.now() - 25 * HOUR);
  for (const path of [join(folder, "results", old.id, "a.tif"), join(torn.directory, "b.tif.1234.part")])
    await utimes(path, day, day);
  for (const path of [join(folder, "results", old.id), torn.directory, join(folder, "results", "not-a-result")])
    await utimes(path, day, day);
  const removed = await store.removeExpired(Date.now() - 24 * HOUR);
  expect([...removed].sort()).toEqual([old.id, torn.id].sort());
  expect((await readdir(join(folder, "results"))).sort()).toEqual([fresh.id, "not-a-result", "spool"].sort());
  expect(await openResultFolder(join(folder, "nothing")).removeExpired(Date.now())).toEqual([]);
});
