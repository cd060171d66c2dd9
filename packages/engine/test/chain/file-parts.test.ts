import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "@swath/catalog/node";
import { fileSink } from "@swath/encode/node";
import { defaultRegistry } from "@swath/schema";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { errorOfPart, failureOfPart, makeFilePart } from "../../src/chain/file-parts.ts";
import { prepare } from "../../src/chain/prepare.ts";
import { type Engine, openEngine } from "../../src/open/open-engine.ts";
import type { FileParts, SharedFiles } from "../../src/parts.ts";
import { Refusal } from "../../src/refusal.ts";
import type { ExtractionRequest } from "../../src/request.ts";
import type { Renderer } from "../../src/run/job.ts";

const { signal } = new AbortController();
const S2 = "sentinel-2-l2a";
const FILE: ExtractionRequest = {
  where: { kind: "area", bbox: [13.2, 45.4, 13.25, 45.6], frame: { width: 530, height: 2701 } },
  when: { collections: [S2], time: "2024-06-01/2024-07-31", order: "leastCC" },
  what: { bands: ["red", "nir"] },
  into: { kind: "geotiff" },
};
/** Cuts a file of one band of 530 columns into three parts. */
const VALUES = 530 * 900;

let engine: Engine;
let folder: string;
beforeAll(async () => {
  const directory = inject("sandbox");
  const catalog = await openArchive(directory, { registry: defaultRegistry });
  engine = await openEngine(
    { catalog, registry: defaultRegistry, sources: { archiveDirectory: directory } },
    { threads: 1, now: () => new Date("2026-01-01T00:00:00Z") },
  );
  folder = await mkdtemp(join(tmpdir(), "swath-parts-"));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

let published: Set<string>;
beforeEach(() => {
  published = new Set();
});

/** Files in the engine's folder that are found once they are published. */
function sharedFiles(): SharedFiles {
  const { results } = engine.parts;
  const places = new Map<string, string>();
  const pathOf = (id: string, file: string): string => join(places.get(id) ?? "", file);
  return {
    spoolDirectory: results.spoolDirectory,
    async allocate() {
      const place = await results.allocate();
      places.set(place.id, place.directory);
      return place;
    },
    async publish(id, file) {
      published.add(pathOf(id, file));
    },
    async find(id, file) {
      const path = pathOf(id, file);
      if (!published.has(path)) return undefined;
      const bytes = await readFile(path);
      return { read: async (position, into) => into.set(bytes.subarray(position, position + into.length)) };
    },
    async create(id, file) {
      const path = pathOf(id, file);
      const sink = await fileSink(path);
      return {
        write: sink.write,
        abort: sink.abort,
        async end() {
          await sink.end();
          published.add(path);
        },
      };
    },
    async remove(id) {
      for (const path of published) if (path.startsWith(`${places.get(id)}/`)) published.delete(path);
      await results.remove(id);
    },
  };
}

interface Made extends FileParts {
  /** Numbers of parts that were made, in this order. */
  readonly numbers: number[];
}

/** Parts that are made one after the other, the last one first, each by a plan and with a result that were JSON. */
function partsOfOneNode(renderer: Pick<Renderer, "extract"> = engine.parts.renderer): Made {
  const files = sharedFiles();
  const made: string[] = [];
  const numbers: number[] = [];
  return {
    values: VALUES,
    files,
    numbers,
    async carryOut({ task, count }, options) {
      const results: unknown[] = [];
      for (let n = count - 1; n >= 0; n--) {
        numbers.push(n);
        const part = await makeFilePart({ renderer, files }, task, n, options).catch((error: unknown) => {
          throw errorOfPart(JSON.parse(JSON.stringify(failureOfPart(error))));
        });
        made.push(part.id);
        results[n] = JSON.parse(JSON.stringify(part));
        options.onProgress?.((count - n) / count);
      }
      return results;
    },
    async forget() {
      for (const id of made) await files.remove(id);
    },
  };
}

test.each<[string, Partial<ExtractionRequest>]>([
  ["reflectance", {}],
  [
    "numbers of the files in a polygon",
    {
      what: { bands: ["red", "nir", "scl"], units: "DN" },
      where: {
        kind: "area",
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [13.2, 45.4],
              [13.25, 45.42],
              [13.24, 45.6],
              [13.21, 45.58],
              [13.2, 45.4],
            ],
          ],
        },
        frame: { width: 530, height: 2701 },
      },
    },
  ],
  ["an index", { what: { expression: "(nir-red)/(nir+red)" } }],
  ["a file for each band", { into: { kind: "geotiff", files: "per-band" } }],
])("%s is the same file by parts as by one node, and no part stays", async (_, given) => {
  const request = { ...FILE, ...given };
  const whole = await (await prepare(engine.parts, request, { signal })).run({ signal });
  const parts = partsOfOneNode();
  const progress: number[] = [];
  const prepared = await prepare({ ...engine.parts, fileParts: parts }, request, { signal });
  const done = await prepared.run({ signal, onProgress: (share) => progress.push(share) });

  expect(done.files.length).toBe(whole.files.length);
  for (const [i, file] of done.files.entries()) {
    const expected = whole.files[i]!;
    expect(file.extraction).toEqual(expected.extraction);
    expect((await readFile(file.path)).equals(await readFile(expected.path))).toBe(true);
    expect([file.isPublished, published.has(file.path)]).toEqual([true, true]);
    expect(await readdir(join(file.path, ".."))).toEqual([file.filename]);
  }
  expect(parts.numbers.length).toBeGreaterThanOrEqual(3 * done.files.length);
  expect(published.size).toBe(done.files.length);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBeCloseTo(1, 6);
});

test("a file that is no larger than two parts is made by one node", async () => {
  const small = { ...FILE, where: { ...FILE.where, frame: { width: 64, height: 64 } } } as ExtractionRequest;
  const parts = partsOfOneNode();
  const done = await (await prepare({ ...engine.parts, fileParts: parts }, small, { signal })).run({ signal });
  expect([done.isPublished, parts.numbers]).toEqual([undefined, []]);
});

test("a scene that a part cannot read is worked around, and one that was asked for by name ends the file", async () => {
  const { renderer } = engine.parts;
  const { plan } = await (await prepare(engine.parts, FILE, { signal })).run({ signal });
  const { id } = plan.items[0]!;
  const damaged: Pick<Renderer, "extract"> = {
    extract: async (job, options) =>
      options.rows?.from === 0 && job.scenes.some(({ read }) => read.id === id)
        ? { kind: "unreadable", scene: id, reason: "a file is damaged" }
        : renderer.extract(job, options),
  };
  const done = await (await prepare({ ...engine.parts, fileParts: partsOfOneNode(damaged) }, FILE, { signal })).run({
    signal,
  });
  expect(done.skipped).toEqual([id]);
  expect(done.extraction.used).not.toContain(id);

  published.clear();
  const named = { ...FILE, when: { collections: [S2], ids: [id] } };
  const run = (await prepare({ ...engine.parts, fileParts: partsOfOneNode(damaged) }, named, { signal })).run({
    signal,
  });
  await expect(run).rejects.toMatchObject({ code: "upstream-unavailable", message: expect.stringContaining(id) });
  expect(published.size).toBe(0);
});

test("an error of a part keeps its code and what it says", async () => {
  const away = new Refusal("upstream-unavailable", [], "The archive does not answer.", { retryAfter: 5 });
  const renderer: Pick<Renderer, "extract"> = { extract: () => Promise.reject(away) };
  const prepared = await prepare({ ...engine.parts, fileParts: partsOfOneNode(renderer) }, FILE, { signal });
  const error: unknown = await prepared.run({ signal }).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ code: away.code, message: away.message, retryAfter: 5 });
});

test("a part that is gone or breaks off is an error, and leaves nothing", async () => {
  const parts = partsOfOneNode();
  const gone = { ...parts, files: { ...parts.files, find: async () => undefined } };
  const lost = (await prepare({ ...engine.parts, fileParts: gone }, FILE, { signal })).run({ signal });
  await expect(lost).rejects.toMatchObject({ code: "upstream-unavailable", retryAfter: 1 });
  const broken = { read: () => Promise.reject(new Error("The file ends.")) };
  const brokenOff = { ...parts, files: { ...parts.files, find: async () => broken } };
  const run = (await prepare({ ...engine.parts, fileParts: brokenOff }, FILE, { signal })).run({ signal });
  await expect(run).rejects.toThrow("The file ends.");
  expect(published.size).toBe(0);
});
