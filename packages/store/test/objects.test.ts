import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { describeEngines } from "../../../test/tools/engines.ts";
import { type S3Server, type S3ServerOptions, startS3Server } from "../../../test/tools/s3-server.ts";
import { openObjects } from "../src/node/objects/open-objects.ts";
import { openStore } from "../src/node/open-store.ts";
import { openResults } from "../src/node/results/open-results.ts";
import { type ObjectStore, sweepObjects } from "../src/objects.ts";
import { claimTurn } from "../src/settings.ts";

let dataDir: string;
let s3: S3Server;
let intercept: S3ServerOptions["intercept"];
let clock = Date.now();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "swath-objects-"));
  s3 = await startS3Server({ intercept: (request, response) => intercept?.(request, response) ?? false });
});
afterAll(async () => {
  await s3.close();
  await rm(dataDir, { recursive: true, force: true });
});
afterEach(async () => {
  intercept = undefined;
  s3.objects.clear();
  s3.records.length = 0;
  await rm(join(dataDir, "results"), { recursive: true, force: true });
});

const NAME = `${"0a".repeat(32)}-i3`;
const options = { signal: new AbortController().signal, maxBytes: 10_000 };
const inBucket = () => ({
  dataDir,
  url: "s3://results/a-prefix",
  s3: { region: s3.region, endpoint: s3.endpoint, credentials: s3.account },
});
const inFolder = () => ({ dataDir, s3: { region: "none" } });

async function namesOf(objects: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of objects.list()) names.push(name);
  return names.sort();
}

describe.each([
  ["a folder", inFolder],
  ["a bucket", inBucket],
])("objects in %s", (_, settings) => {
  test("come back as they were written last, and not at all once they are removed", async () => {
    const objects = openObjects(settings(), "images");
    expect(await objects.read(NAME, options)).toBeUndefined();
    expect(await namesOf(objects)).toEqual([]);
    for (const fill of [1, 2]) await objects.write(NAME, new Uint8Array(5000).fill(fill));
    expect(await objects.read(NAME, options)).toEqual(new Uint8Array(5000).fill(2));
    for await (const { modified, size } of objects.list()) {
      expect([size, Math.abs(Date.now() - modified) < 60_000]).toEqual([5000, true]);
    }
    await objects.remove(NAME);
    await objects.remove(NAME);
    expect(await objects.read(NAME, options)).toBeUndefined();
  });

  test("larger than asked for are not read", async () => {
    const objects = openObjects(settings(), "images");
    await objects.write(NAME, new Uint8Array(10_001));
    await expect(objects.read(NAME, options)).rejects.toThrow("10001 bytes, more than 10000");
  });

  test.each(["../secret", "a/b/c/d", "ABCD", "abc", ""])("have no name such as %j", async (name) => {
    const objects = openObjects(settings(), "images");
    await expect(async () => objects.read(name, options)).rejects.toThrow(RangeError);
    await expect(async () => objects.write(name, new Uint8Array())).rejects.toThrow(RangeError);
  });

  test("are not read to the end by who leaves", async () => {
    const objects = openObjects(settings(), "images");
    const reason = new Error("gone");
    await expect(objects.read(NAME, { ...options, signal: AbortSignal.abort(reason) })).rejects.toThrow();
  });

  test("are no results, and results are none of them", async () => {
    const objects = openObjects(settings(), "images");
    const results = openResults({ ...settings(), isPublic: false });
    await objects.write(NAME, new Uint8Array(9));
    const { id, directory } = await results.allocate();
    await writeFile(join(directory, "a.tif"), "1");
    await results.publish(id, "a.tif");
    expect(await namesOf(objects)).toEqual([NAME]);
    expect(await results.removeExpired(Date.now() + 60_000)).toEqual([id]);
    expect(await objects.read(NAME, options)).toHaveLength(9);
  });
});

test("an object of a bucket that breaks off, is refused or does not come is an error, not a part of it", async () => {
  const objects = openObjects(inBucket(), "images");
  await objects.write(NAME, new Uint8Array(5000));
  intercept = (_, response) => {
    response.writeHead(200, { "Content-Length": 5000 });
    response.write(Buffer.alloc(100), () => response.destroy());
    return true;
  };
  await expect(objects.read(NAME, options)).rejects.toThrow();
  let asked = 0;
  intercept = (_, response) => {
    asked += 1;
    response.writeHead(503).end();
    return true;
  };
  await expect(objects.read(NAME, options)).rejects.toThrow("503");
  await expect(objects.write(NAME, new Uint8Array(1))).rejects.toThrow("503");
  // a copy that saves time is not asked for again and again
  expect(asked).toBe(2);
  intercept = () => true;
  const signal = AbortSignal.timeout(50);
  await expect(objects.read(NAME, { ...options, signal })).rejects.toThrow();
});

test("a listing of results in a bucket ends before the images beside them", async () => {
  const objects = openObjects(inBucket(), "images");
  const results = openResults({ ...inBucket(), isPublic: false });
  for (let i = 0; i < 1500; i++)
    s3.objects.set(`results/a-prefix/images/${i}`, { bytes: new Uint8Array(), modified: 0, etag: "" });
  s3.records.length = 0;
  await results.removeExpired(Date.now());
  expect(s3.records.filter(({ target }) => target.includes("list-type"))).toHaveLength(1);
  expect(await namesOf(objects)).toHaveLength(500);
});

test("files that a node left half written in a folder go after an hour", async () => {
  const objects = openObjects(inFolder(), "images");
  const folder = join(dataDir, "results", "images", "0a");
  await mkdir(folder, { recursive: true });
  const old = new Date(Date.now() - 3_700_000);
  for (const name of [".old", ".new"]) await writeFile(join(folder, name), "x");
  await utimes(join(folder, ".old"), old, old);
  expect(await namesOf(objects)).toEqual([]);
  await expect(rm(join(folder, ".old"))).rejects.toThrow("ENOENT");
  await rm(join(folder, ".new"));
});

describe("a sweep", () => {
  const HOUR = 3_600_000;
  /** Objects of 100 bytes by age in hours. */
  const aged = (hours: readonly number[]) => {
    const kept = new Map(hours.map((age) => [`object-${age}`, age]));
    const objects: Pick<ObjectStore, "list" | "remove"> = {
      async *list() {
        for (const [name, age] of kept) yield { name, modified: clock - age * HOUR, size: 100 };
      },
      remove: async (name) => void kept.delete(name),
    };
    return { objects, left: () => [...kept.values()] };
  };

  test("removes what is too old, and of the rest the oldest until the others fit", async () => {
    clock = Date.now();
    const { objects, left } = aged([0, 10, 20, 30, 40, 99, 100, 500]);
    const done = await sweepObjects(objects, { maxAgeMs: 100 * HOUR, maxBytes: 350 }, clock);
    expect(left()).toEqual([0, 10, 20]);
    expect(done).toEqual({ removed: 5, removedBytes: 500, leftBytes: 300 });
  });

  test("leaves everything that fits, and takes an object of the future for a new one", async () => {
    clock = Date.now();
    const { objects, left } = aged([-5, 0, 99]);
    await sweepObjects(objects, { maxAgeMs: 100 * HOUR, maxBytes: 300 }, clock);
    expect(left()).toEqual([-5, 0, 99]);
  });

  test("removes what has no time that can be read", async () => {
    const removed: string[] = [];
    const objects = {
      async *list() {
        yield { name: "no-time", modified: Number.NaN, size: 1 };
      },
      remove: async (name: string) => void removed.push(name),
    };
    await sweepObjects(objects, { maxAgeMs: HOUR, maxBytes: 10 });
    expect(removed).toEqual(["no-time"]);
  });
});

describeEngines("a turn at work for all nodes", (host) => {
  test("is one node's, and the next comes when its time is over", async () => {
    const store = await openStore(await host().fresh());
    try {
      const ask = (now: number) => Promise.all([1, 2, 3].map(() => claimTurn(store, "sweep", 1000, now)));
      expect((await ask(5000)).filter(Boolean)).toHaveLength(1);
      expect((await ask(5999)).filter(Boolean)).toHaveLength(0);
      expect((await ask(6000)).filter(Boolean)).toHaveLength(1);
      expect(await claimTurn(store, "another", 1000, 6000)).toBe(true);
    } finally {
      await store.close();
    }
  });
});
