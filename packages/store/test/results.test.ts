import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, type S3ServerOptions, startS3Server } from "../../../test/tools/s3-server.ts";
import { openBucket } from "../src/node/results/bucket.ts";
import { LINK_SECONDS, linkSigner } from "../src/node/results/links.ts";
import { openResults } from "../src/node/results/open-results.ts";
import { openResultBucket } from "../src/node/results/result-bucket.ts";
import { openResultFolder } from "../src/node/results/result-folder.ts";
import type { ResultStore } from "../src/results.ts";

const FILE = "scene_2024-07-04.tif";
const PART = 5 << 20;
const signer = linkSigner(Buffer.from("a secret of results"), "/files");
const NOW = new Date("2024-07-05T00:00:00Z");

let directory: string;
let s3: S3Server;
let intercept: S3ServerOptions["intercept"];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-results-"));
  s3 = await startS3Server({ intercept: (request, response) => intercept?.(request, response) ?? false });
});
afterAll(async () => {
  await s3.close();
  await rm(directory, { recursive: true, force: true });
});
afterEach(() => {
  intercept = undefined;
  s3.objects.clear();
  s3.records.length = 0;
});

const bucketStore = (isPublic = false, secretAccessKey = s3.account.secretAccessKey): ResultStore =>
  openResultBucket({
    bucket: openBucket({
      bucket: "results",
      region: s3.region,
      endpoint: s3.endpoint,
      credentials: { accessKeyId: s3.account.accessKeyId, secretAccessKey },
      partBytes: PART,
      pieceBytes: PART,
    }),
    prefix: "a prefix/x/",
    stagingDirectory: join(directory, "staging"),
    isPublic,
  });

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
  test("come back whole and in ranges", async () => {
    const store = open();
    const bytes = bytesOf(100_000);
    const id = await publish(store, bytes);
    const stored = await store.find(id, FILE);
    expect(stored?.size).toBe(bytes.byteLength);
    const read = async (start: number, end: number) =>
      Buffer.from(await new Response(await stored?.open({ start, end })).arrayBuffer());
    expect((await read(0, bytes.byteLength - 1)).equals(bytes)).toBe(true);
    expect((await read(99_990, 99_999)).equals(bytes.subarray(99_990))).toBe(true);
    expect((await store.find(id, FILE))?.etag).toBe(stored?.etag);

    const into = new Uint8Array(1000);
    await stored?.read(98_990, into);
    expect(bytes.subarray(98_990, 99_990).equals(into)).toBe(true);
    await expect(stored?.read(99_500, into)).rejects.toMatchObject({ name: "ResultStoreError", code: "unavailable" });
  });

  test.each([0, 100, 2 * PART, 2 * PART + 12_345])(
    "%i bytes that are written piece by piece are found when they end",
    async (length) => {
      const store = open();
      const { id } = await store.allocate();
      const bytes = bytesOf(length);
      const file = await store.create(id, FILE);
      for (let start = 0; start < length; start += 700_001) {
        const piece = Uint8Array.from(bytes.subarray(start, start + 700_001));
        await file.write(piece);
        // whoever writes may use its memory again
        piece.fill(0);
        expect(await store.find(id, FILE)).toBeUndefined();
      }
      await file.end();
      await file.abort();
      const stored = await store.find(id, FILE);
      expect(stored?.size).toBe(length);
      if (length === 0) return;
      const read = await new Response(await stored?.open({ start: 0, end: length - 1 })).arrayBuffer();
      expect(Buffer.from(read).equals(bytes)).toBe(true);
    },
  );

  test("a file that is given up midway leaves nothing", async () => {
    const store = open();
    const { id } = await store.allocate();
    const file = await store.create(id, FILE);
    await file.write(bytesOf(PART + 1));
    await file.abort();
    expect(await store.find(id, FILE)).toBeUndefined();
    expect(s3.uploads.size).toBe(0);
    await expect(store.create(id, "../x.tif")).rejects.toThrow(RangeError);
  });

  test("are gone after a day to everybody", async () => {
    const store = open();
    const id = await publish(store, bytesOf(10));
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
    expect(s3.records).toEqual([]);
  });

  test("removing one keeps the others", async () => {
    const store = open();
    const [first, second] = [await publish(store, bytesOf(1)), await publish(store, bytesOf(2))];
    await store.remove(first);
    expect(await store.find(first, FILE)).toBeUndefined();
    expect(await store.find(second, FILE)).toMatchObject({ size: 2 });
  });
});

test("a large file is sent in parts, appears at once, and no copy remains", async () => {
  const store = bucketStore();
  const bytes = bytesOf(2 * PART + 12_345);
  const id = await publish(store, bytes);
  expect(s3.records.filter(({ target }) => target.includes("partNumber")).length).toBe(3);
  expect(Buffer.from(s3.objects.get(`results/a prefix/x/${id}/${FILE}`)?.bytes ?? []).equals(bytes)).toBe(true);
  expect(await readdir(join(directory, "staging"))).not.toContain(id);
  expect(s3.records.every(({ verdict }) => verdict === "ok")).toBe(true);
});

test("a part that fails is sent again", async () => {
  let failures = 2;
  intercept = (request, response) => {
    if (request.method !== "PUT" || failures-- <= 0) return false;
    response.writeHead(503).end();
    return true;
  };
  const id = await publish(bucketStore(), bytesOf(PART + 1));
  expect(s3.objects.get(`results/a prefix/x/${id}/${FILE}`)?.bytes.byteLength).toBe(PART + 1);
});

test("an upload that fails for good is a clear problem and no object remains", async () => {
  intercept = (request, response) => {
    if (!request.url?.includes("partNumber=2")) return false;
    response.writeHead(507).end("<Error><Code>InsufficientStorage</Code></Error>");
    return true;
  };
  await expect(publish(bucketStore(), bytesOf(2 * PART))).rejects.toMatchObject({
    code: "unavailable",
    message: "The store of output files does not answer.",
  });
  expect(s3.objects.size).toBe(0);
  expect(s3.uploads.size).toBe(0);
});

test("a piece that the bucket refuses for good ends the file", async () => {
  intercept = (request, response) => {
    if (!request.url?.includes("partNumber=2")) return false;
    response.writeHead(507).end("<Error><Code>InsufficientStorage</Code></Error>");
    return true;
  };
  const store = bucketStore();
  const { id } = await store.allocate();
  const file = await store.create(id, FILE);
  const write = async (): Promise<void> => {
    await file.write(bytesOf(3 * PART));
    await file.end();
  };
  await expect(write()).rejects.toMatchObject({ name: "ResultStoreError", code: "unavailable" });
  await file.abort();
  expect(s3.objects.size).toBe(0);
  expect(s3.uploads.size).toBe(0);
});

/** Joins ranges of two published files with bytes between them; the file, and how many parts of it the bucket copied. */
async function joined(store: ResultStore): Promise<{ readonly isWhole: boolean; readonly copies: number }> {
  const first = bytesOf(3 * PART);
  const second = bytesOf(2 * PART).map((byte) => byte ^ 1);
  const [one, two] = [await publish(store, first), await publish(store, Buffer.from(second))];
  const { id } = await store.allocate();
  const file = await store.create(id, FILE);
  const ranges: readonly [id: string, of: Uint8Array, position: number, length: number][] = [
    [one, first, 7, 2 * PART],
    [two, second, 0, 1000],
    [two, second, 1000, 2 * PART - 1000],
    [one, first, PART, 0],
    [one, first, PART, PART + 3],
    [two, second, 5, 2 * PART - 5],
  ];
  const expected: Uint8Array[] = [bytesOf(50)];
  await file.write(bytesOf(50));
  for (const [from, of, position, length] of ranges) {
    await file.copy?.(from, FILE, position, length);
    expected.push(of.subarray(position, position + length));
  }
  await file.end();
  const stored = await store.find(id, FILE);
  const into = new Uint8Array(stored?.size ?? 0);
  await stored?.read(0, into);
  const copies = s3.records.filter(({ headers, verdict }) => "x-amz-copy-source" in headers && verdict === "ok").length;
  return { isWhole: Buffer.concat(expected).equals(into), copies };
}

test("a bucket copies what a file takes of other files, but for what is too short for a part", async () => {
  expect(await joined(bucketStore())).toEqual({ isWhole: true, copies: 4 });
  expect(s3.records.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
});

test.each([501, 400])("what a bucket does not copy, and answers with %i, is read and written", async (status) => {
  intercept = ({ headers }, response) => {
    if (!("x-amz-copy-source" in headers)) return false;
    response.writeHead(status).end("<Error><Code>NotImplemented</Code></Error>");
    return true;
  };
  expect(await joined(bucketStore())).toEqual({ isWhole: true, copies: 0 });
});

test("a copy that a bucket says has failed, with status 200, fails the file", async () => {
  let copies = 0;
  intercept = ({ headers }, response) => {
    if (!("x-amz-copy-source" in headers) || copies++ === 0) return false;
    response.writeHead(200).end("<Error><Code>InternalError</Code></Error>");
    return true;
  };
  await expect(joined(bucketStore())).rejects.toMatchObject({ name: "ResultStoreError", code: "unavailable" });
});

test("wrong credentials are a clear problem, not an empty answer", async () => {
  const store = bucketStore(false, "wrong");
  await expect(publish(store, bytesOf(10))).rejects.toMatchObject({ name: "ResultStoreError", code: "unavailable" });
  await expect(store.find("0".repeat(32), FILE)).rejects.toMatchObject({ code: "unavailable" });
});

test("a bucket that sends another range than requested is not passed on", async () => {
  const store = bucketStore();
  const id = await publish(store, bytesOf(100));
  intercept = (request, response) => {
    if (request.method !== "GET") return false;
    response.writeHead(200, { "Content-Length": 100 }).end(bytesOf(100));
    return true;
  };
  const stored = await store.find(id, FILE);
  await expect(stored?.open({ start: 5, end: 9 })).rejects.toMatchObject({ code: "unavailable" });
});

test("clients are given an address of the bucket only where it is public-facing, and one that ends", async () => {
  const id = await publish(bucketStore(), bytesOf(1000));
  expect(await bucketStore().address?.(id, FILE, 60)).toBeUndefined();
  const address = (await bucketStore(true).address?.(id, FILE, 60)) ?? "";
  expect(new URL(address).searchParams.get("X-Amz-Expires")).toBe("60");
  const direct = await fetch(address);
  expect([direct.status, (await direct.arrayBuffer()).byteLength]).toEqual([200, 1000]);
  expect((await fetch(address.replace("Signature=", "Signature=0"))).status).toBe(403);
});

test("a link is good for its file, for an hour, and with its own secret", () => {
  const id = "0".repeat(32);
  const { href, expires } = signer.sign("https://a.example", id, FILE, NOW);
  expect(expires).toBe(NOW.getTime() + LINK_SECONDS * 1000);
  const { origin, pathname, searchParams } = new URL(href);
  expect(`${origin}${pathname}`).toBe(`https://a.example/files/${id}/${FILE}`);
  const query = { expires: searchParams.get("expires") ?? "", sig: searchParams.get("sig") ?? "" };
  const other = linkSigner(Buffer.from("another"), "/files");
  const later = new Date(expires);
  expect(signer.isGood(id, FILE, query, NOW)).toBe(true);
  expect(signer.isGood(id, FILE, query, new Date(expires - 1))).toBe(true);
  expect(signer.isGood(id, FILE, query, later)).toBe(false);
  expect(signer.isGood(id, FILE, { ...query, expires: String(expires / 1000 + 1) }, later)).toBe(false);
  expect(signer.isGood(id, "other.tif", query, NOW)).toBe(false);
  expect(signer.isGood("1".repeat(32), FILE, query, NOW)).toBe(false);
  expect(signer.isGood(id, FILE, {}, NOW)).toBe(false);
  expect(other.isGood(id, FILE, query, NOW)).toBe(false);
});

test("a deployment names a folder or a bucket, or keeps results beside its data", async () => {
  const { region, endpoint, account } = s3;
  const settings = { region, endpoint, credentials: account };
  const dataDir = join(directory, "data");
  const open = (url?: string): ResultStore =>
    openResults({ dataDir, isPublic: false, s3: settings, ...(url === undefined ? {} : { url }) });
  await publish(open(), bytesOf(1));
  expect(await readdir(join(dataDir, "results"))).toHaveLength(2);
  const folder = join(directory, "named folder");
  const named = await publish(open(pathToFileURL(folder).href), bytesOf(2));
  expect(await readdir(folder)).toContain(named);
  const sent = await publish(open("s3://bucket/some/prefix/"), bytesOf(3));
  const bare = await publish(open("s3://bucket"), bytesOf(4));
  expect([...s3.objects.keys()].sort()).toEqual(
    [`bucket/${bare}/${FILE}`, `bucket/some/prefix/${sent}/${FILE}`].sort(),
  );
  expect(() => openResults({ dataDir, isPublic: false, url: "s3://bucket", s3: { region } })).toThrow(TypeError);
});
