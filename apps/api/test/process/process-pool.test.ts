import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtractionRequest } from "@swath/engine";
import { type ExtractionServices, prepare, RenderPool, type RunOptions } from "@swath/engine/node";
import { openResultFolder } from "@swath/store/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { sandboxServices } from "../tools/harness.ts";
import { S2 } from "./process-cases.ts";

let pool: RenderPool;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-pool-"));
  const sources = { archiveDirectory: inject("sandbox"), assetHosts: [], s3: { region: "us-west-2" } };
  pool = new RenderPool({ threads: 2, settings: { render: { blockCacheBytes: 64 << 20, sources } } });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

async function extract(parts: ExtractionServices, ids: readonly string[], side: number, options: RunOptions) {
  const request: ExtractionRequest = {
    where: { kind: "area", bbox: [12.5, 45.1, 13.8, 46.0], frame: { width: side, height: side } },
    when: { collections: ["sentinel-2-l2a"], ids },
    what: {},
    into: { kind: "geotiff" },
  };
  return (await prepare(parts, request, options)).run(options);
}

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("render threads make the same file as the main thread, and report progress", async () => {
  const { catalog, angles, registry, renderer, now } = await sandboxServices();
  const results = openResultFolder(join(folder, "results"));
  const progress: number[] = [];
  const { signal } = new AbortController();
  const onProgress = (done: number): number => progress.push(done);
  const parts = { catalog, angles, registry, results, now };
  const there = await extract({ ...parts, renderer: pool }, [S2.july], 1300, { signal, onProgress });
  const here = await extract({ ...parts, renderer }, [S2.july], 1300, { signal });
  expect(there.extraction).toEqual(here.extraction);
  expect(Buffer.compare(await readFile(there.path), await readFile(here.path))).toBe(0);
  expect(progress.length).toBeGreaterThan(2);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.at(-1)).toBeLessThanOrEqual(1);
  await Promise.all([there, here].map(({ id }) => results.remove(id)));
});

test("a request that is given up stops the thread's work, and no file stays", async () => {
  const { catalog, angles, registry, now } = await sandboxServices();
  const controller = new AbortController();
  const parts = { catalog, angles, registry, results: openResultFolder(join(folder, "results")), renderer: pool, now };
  const onProgress = (): void => controller.abort(new Error("gave up"));
  const run = extract(parts, [S2.july], 2400, { signal: controller.signal, onProgress });
  await expect(run).rejects.toThrow("gave up");
  // the thread is free again, and what it had begun is gone
  const next = await extract(parts, [S2.july], 16, { signal: new AbortController().signal });
  await parts.results.remove(next.id);
  await expect.poll(files).toEqual([]);
});
