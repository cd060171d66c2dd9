import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { Refusal } from "../../../src/refusal.ts";
import { type ComputeJob, mosaicGroup } from "../../../src/run/compute/compute-job.ts";
import type { ExtractJob } from "../../../src/run/extract/extract-job.ts";
import type { RenderedImage, TileJob } from "../../../src/run/job.ts";
import { type PoolOptions, RenderPool } from "../../../src/run/threads/pool.ts";
import { plainRead } from "../reads.ts";

let pool: RenderPool | undefined;
afterEach(async () => {
  await pool?.close();
  pool = undefined;
  vi.useRealTimers();
});

/** A pool whose threads run `pool-thread.ts`, and how often jobs were started, cancelled, and threads died. */
function testPool(options: Partial<PoolOptions> = {}): { pool: RenderPool; counts: Int32Array } {
  const memory = new SharedArrayBuffer(12);
  pool = new RenderPool({
    threads: 1,
    settings: { counts: memory, render: { blockCacheBytes: 0 } } as never,
    workerUrl: new URL("./pool-thread.ts", import.meta.url),
    ...options,
  });
  return { pool, counts: new Int32Array(memory) };
}

function job(id: string): TileJob {
  return {
    kind: "tile",
    grid: { crs: "EPSG:3857", transform: [1, 0, 0, 0, -1, 0], width: 1, height: 1 },
    scenes: [plainRead(id, [])],
    more: false,
    style: {},
    format: "png",
  };
}

const signal = new AbortController().signal;
const text = ({ bytes }: RenderedImage): string => new TextDecoder().decode(bytes);
const threadOf = (image: RenderedImage): string => text(image).split(" by ")[1] ?? "";

test("a job is answered by a thread", async () => {
  expect(text(await testPool().pool.render(job("plain"), { signal }))).toMatch(/^plain by /);
});

test.each([
  { warmsUp: false, opened: 0, asked: 1 },
  { warmsUp: true, opened: 2, asked: 2 },
])("of two threads $opened start with the pool where warming up is $warmsUp", async ({ warmsUp, opened, asked }) => {
  let started = 0;
  const count = (): void => {
    started += 1;
  };
  process.on("worker", count);
  try {
    const counts = new SharedArrayBuffer(12);
    const { pool } = testPool({ threads: 2, settings: { counts, warmsUp, render: { blockCacheBytes: 0 } } as never });
    await new Promise(setImmediate);
    expect(started).toBe(opened);
    await pool.render(job("plain"), { signal });
    expect(started).toBe(asked);
  } finally {
    process.off("worker", count);
  }
});

test.each(["dies once", "throws outside"])("a thread that %s is replaced, and its request is answered", async (id) => {
  const { pool, counts } = testPool();
  expect(text(await pool.render(job(id), { signal }))).toMatch(new RegExp(`^${id}`));
  expect(counts[0]).toBe(2);
  // and the new thread goes on
  expect(text(await pool.render(job("after"), { signal }))).toMatch(/^after/);
});

test("a job that takes every thread down is refused, and the others beside it are answered", async () => {
  const { pool, counts } = testPool();
  const beside = pool.render(job("slow"), { signal });
  const fatal = pool.render(job("dies"), { signal });
  await expect(fatal).rejects.toMatchObject({ code: "upstream-unavailable", retryAfter: 5 });
  expect(counts[2]).toBe(2);
  await beside.catch(() => {}); // it shared both threads that died: refused or answered, but settled
  expect(text(await pool.render(job("plain"), { signal }))).toMatch(/^plain/);
});

/** The clock by which the pool judges the silence of threads goes on where a test says so, however busy the machine is. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
}

test("a stuck thread is replaced after some silence, and its requests are answered", async () => {
  holdTime();
  const { pool } = testPool({ stuckAfterMs: 400 });
  const isHanging = new Promise<void>((resolve) => {
    pool.onTraffic = () => resolve();
  });
  const images = Promise.all([pool.render(job("hangs once"), { signal }), pool.render(job("behind"), { signal })]);
  await isHanging;
  // four questions without an answer, and a look; no time passes for the thread that comes then
  vi.advanceTimersByTime(500);
  expect((await images).map((image) => text(image).split(" by ")[0])).toEqual(["hangs once", "behind"]);
});

test("a thread that is slow but alive is left alone", async () => {
  holdTime();
  const { pool, counts } = testPool({ stuckAfterMs: 1200 });
  let answers = 0;
  pool.onTraffic = () => {
    answers += 1;
  };
  const image = pool.render(job("slower"), { signal });
  // five times the silence that a stuck thread is given, in which each question is answered
  for (let questions = 1; questions <= 20; questions++) {
    vi.advanceTimersByTime(300);
    // expect.poll would let time pass; a thread that took the place of another would start the job again
    while (answers < questions && counts[0]! < 2) await pause(2);
    expect(answers).toBe(questions);
  }
  expect(text(await image)).toMatch(/^slower/);
  expect(counts[0]).toBe(1);
});

test("a failure comes back as what it was", async () => {
  const { pool } = testPool();
  await expect(pool.render(job("throws"), { signal })).rejects.toThrow("It failed.");
  const problem = pool.render(job("problem"), { signal });
  await expect(problem).rejects.toBeInstanceOf(Refusal);
  await expect(problem).rejects.toMatchObject({ code: "upstream-unavailable", retryAfter: 7 });
});

test("a caller that aborts is answered at once, and the thread cancels the job", async () => {
  const { pool, counts } = testPool();
  await pool.render(job("plain"), { signal });
  const controller = new AbortController();
  const left = pool.render(job("waits"), { signal: controller.signal });
  const reason = new Error("gone");
  await expect.poll(() => counts[0]).toBe(2);
  controller.abort(reason);
  await expect(left).rejects.toBe(reason);
  await pool.render(job("plain"), { signal });
  expect(counts[1]).toBe(1);
});

test("a job whose client left while it waited is never started", async () => {
  const { pool, counts } = testPool({ jobsPerThread: 1 });
  await pool.render(job("plain"), { signal });
  const busy = pool.render(job("slow"), { signal });
  const controller = new AbortController();
  const waiting = pool.render(job("never"), { signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await busy;
  await pool.render(job("plain"), { signal });
  expect(counts[0]).toBe(3);
  expect(counts[1]).toBe(0);
});

test("one job more than the bound is refused, and another is taken when one has ended", async () => {
  const { pool } = testPool({ maxJobs: 2 });
  const controller = new AbortController();
  const first = pool.render(job("waits"), { signal: controller.signal });
  const leaving = new AbortController();
  const second = pool.render(job("waits"), { signal: leaving.signal });
  await expect(pool.render(job("third"), { signal })).rejects.toMatchObject({
    code: "upstream-unavailable",
    retryAfter: 1,
  });
  controller.abort();
  await expect(first).rejects.toMatchObject({ name: "AbortError" });
  expect(text(await pool.render(job("third"), { signal }))).toMatch(/^third/);
  leaving.abort();
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
});

test("jobs of one scene go to one thread, and to another where that is far busier", async () => {
  const { pool } = testPool({ threads: 2 });
  const images: RenderedImage[] = [];
  for (let i = 0; i < 5; i++) images.push(await pool.render(job("scene"), { signal }));
  expect(new Set(images.map(threadOf)).size).toBe(1);
  const many = await Promise.all(Array.from({ length: 20 }, () => pool.render(job("scene"), { signal })));
  expect(new Set(many.map(threadOf)).size).toBe(2);
});

test("closing refuses what is under way", async () => {
  const { pool } = testPool();
  const left = pool.render(job("waits"), { signal });
  const refused = expect(left).rejects.toMatchObject({ code: "upstream-unavailable" });
  await pool.close();
  await refused;
});

/** Extracts an area whose scene says what its threads do; returns the file, and what remains in its folder. */
async function extracted(
  id: string,
  { pool }: { pool: RenderPool },
  its: AbortSignal = signal,
): Promise<{ bytes: Buffer; rest: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "swath-pool-"));
  const area: ExtractJob = {
    kind: "extract",
    grid: { crs: "EPSG:32633", transform: [10, 0, 500_000, 0, -10, 5_000_000], width: 2300, height: 1100 },
    scenes: [{ datetime: null, scales: [], read: plainRead(id, []) }],
    bands: ["red", "nir"],
    sampleType: "uint16",
    nodata: 0,
    collection: "sentinel-2-l2a",
    attribution: "",
    units: "dn",
    harmonize: "none",
    path: join(folder, "area.tif"),
    spoolDirectory: folder,
  };
  try {
    const outcome = await pool.extract(area, { signal: its });
    expect(outcome).toMatchObject({ kind: "written", used: [] });
    return { bytes: await readFile(area.path), rest: (await readdir(folder)).filter((name) => name !== "area.tif") };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("blocks of a GeoTIFF are made by all threads, and by another where one dies", async () => {
  const { bytes } = await extracted("plain", testPool({ threads: 2 }));
  expect(bytes.length).toBeGreaterThan(1000);
  await pool?.close();
  const broken = testPool({ threads: 2 });
  const again = await extracted("dies once", broken);
  expect(broken.counts[2]).toBe(1);
  // 5 x 3 blocks, 3 x 2, 2 x 1, 1: some of them twice
  expect(broken.counts[0]).toBeGreaterThan(15 + 6 + 2 + 1);
  expect(Buffer.compare(again.bytes, bytes)).toBe(0);
  expect(again.rest).toEqual([]);
});

test("a GeoTIFF whose blocks take every thread down fails, and the pool goes on", async () => {
  const failing = testPool({ threads: 2 });
  await expect(extracted("dies", failing)).rejects.toMatchObject({ code: "upstream-unavailable" });
  expect(text(await failing.pool.render(job("plain"), { signal }))).toMatch(/^plain/);
});

test("blocks of GeoTIFFs do not count among a thread's images, and images are not refused for them", async () => {
  const busy = testPool({ threads: 1, jobsPerThread: 1, maxJobs: 2 });
  const controller = new AbortController();
  const area = extracted("waits", busy, controller.signal);
  await expect.poll(() => busy.counts[0]).toBeGreaterThan(0);
  expect(text(await busy.pool.render(job("plain"), { signal }))).toMatch(/^plain/);
  controller.abort(new Error("gone"));
  await expect(area).rejects.toThrow("gone");
});

/** Reduces 8 strips of a scene that says what its threads do. */
function reduction(id: string): ComputeJob {
  return {
    kind: "compute",
    grids: [
      {
        parts: [
          { grid: { crs: "EPSG:32633", transform: [10, 0, 500_000, 0, -10, 5_000_000], width: 2048, height: 2048 } },
        ],
        groups: [
          mosaicGroup(
            { id: "group", scenes: [plainRead(id, [])] },
            [],
            [{ name: "nothing", expression: "1", reducers: [{ kind: "moments" }] }],
          ),
        ],
      },
    ],
  };
}

test("strips of a reduction are reduced by all threads, and by another where one dies", async () => {
  const outputs = [{ name: "nothing", pixels: 8, count: 8, sum: 8, mean: 1 }];
  const expected = { pixels: [2048 * 2048], groups: [{ id: "group", used: [], skipped: [], outputs }] };
  expect(await testPool({ threads: 2 }).pool.compute(reduction("plain"), { signal })).toMatchObject(expected);
  await pool?.close();
  const broken = testPool({ threads: 2 });
  expect(await broken.pool.compute(reduction("dies once"), { signal })).toMatchObject(expected);
  expect(broken.counts[2]).toBe(1);
});

test("a reduction whose strips take every thread down fails, and so does one that is aborted", async () => {
  const failing = testPool({ threads: 2 });
  await expect(failing.pool.compute(reduction("dies"), { signal })).rejects.toMatchObject({
    code: "upstream-unavailable",
  });
  const controller = new AbortController();
  const aborted = failing.pool.compute(reduction("waits"), { signal: controller.signal });
  controller.abort(new Error("gone"));
  await expect(aborted).rejects.toThrow("gone");
});
