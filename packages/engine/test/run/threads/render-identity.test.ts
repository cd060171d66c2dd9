import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, type Raster, resolveCrs, tileGrid, transformer } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StyleSpec, TileJob } from "../../../src/run/job.ts";
import { createRenderEngine } from "../../../src/run/threads/engine.ts";
import { RenderPool } from "../../../src/run/threads/pool.ts";
import { plainRead } from "../reads.ts";

const SIDE = 900;
const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 5_000_000, 509_000, 5_009_000], SIDE, SIDE);
const { signal } = new AbortController();
let directory: string;

/** A scene's band: relief and noise, with nodata in a corner that differs from band to band. */
function bandOf(band: number): Raster {
  const values = new Uint16Array(SIDE * SIDE);
  const valid = new Uint8Array(SIDE * SIDE);
  let state = 12_345 + band;
  for (let i = 0; i < values.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const [row, column] = [Math.floor(i / SIDE), i % SIDE];
    valid[i] = row + column < 300 + 40 * band ? 0 : 1;
    values[i] = valid[i] === 0 ? 0 : 1500 + 900 * Math.sin(row / 40) * Math.cos(column / 30) + ((state >>> 20) & 511);
  }
  return { grid: GRID, bands: [values], valid };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-identity-"));
  for (const band of [0, 1, 2]) {
    const bytes = await encodeGeoTiff(bandOf(band), { blockSize: 512, nodata: 0, overviews: [2] });
    await writeFile(join(directory, `${band}.tif`), bytes);
  }
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const options = () => ({
  blockCacheBytes: 64 * 1_048_576,
  sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
});

const COLORS: StyleSpec = { rescale: [[1000, 3000]] };
const INDEX: StyleSpec = {
  expression: "(b1-b2)/(b1+b2)",
  variables: ["b1", "b2"],
  rescale: [[-0.5, 0.5]],
  colormap: "rdylgn",
};

/** The tile of a zoom that holds a pixel of the file. */
function jobOf(
  z: number,
  col: number,
  row: number,
  style: StyleSpec,
  bands: number,
  format: TileJob["format"],
): TileJob {
  const [a, , c, , e, f] = GRID.transform;
  const [x, y] = transformer(GRID.crs, resolveCrs("EPSG:3857"))(c + a * col, f + e * row);
  const half = 20_037_508.342789244;
  const tile = (metres: number): number => Math.floor((metres * 2 ** z) / (2 * half));
  const { crs, transform, width, height } = tileGrid("WebMercatorQuad", z, tile(x + half), tile(half - y));
  const files = [0, 1, 2].slice(0, bands).map((band) => ({ href: `archive:${band}.tif` }));
  const resampling = style === INDEX ? "nearest" : "bilinear";
  return {
    kind: "tile",
    grid: { crs: crs.name, transform, width, height },
    scenes: [plainRead("scene", files, { resampling })],
    more: false,
    style,
    format,
  };
}

const JOBS: readonly (readonly [string, TileJob])[] = [
  ["colours, the file's corner with gaps", jobOf(12, 100, 100, COLORS, 3, "png")],
  ["colours, a part of some blocks", jobOf(14, 480, 500, COLORS, 3, "png")],
  ["colours as JPEG", jobOf(13, 600, 300, COLORS, 3, "jpg")],
  ["colours as WebP", jobOf(13, 300, 700, COLORS, 3, "webp")],
  ["an index, nearest", jobOf(13, 500, 500, INDEX, 2, "png")],
  ["an index, wider than the file", jobOf(10, 450, 450, INDEX, 2, "png")],
];

describe.each(JOBS)("%s", (_, job) => {
  const cold = async (): Promise<Uint8Array> => (await createRenderEngine(options()).image(job, { signal })).bytes;

  test("shows something", async () => {
    expect((await createRenderEngine(options()).image(job, { signal })).used).toEqual(["scene"]);
  });

  test("is the same cold and warm", async () => {
    const engine = createRenderEngine(options());
    const first = (await engine.image(job, { signal })).bytes;
    const second = (await engine.image(job, { signal })).bytes;
    expect(Buffer.compare(first, await cold())).toBe(0);
    expect(Buffer.compare(second, first)).toBe(0);
  });

  test("is the same from blocks that a part of it has loaded, or a larger image", async () => {
    const grown = createRenderEngine(options());
    // a sliver first, so that some blocks are held when the tile asks for more
    const { transform, width } = job.grid;
    await grown.image({ ...job, grid: { ...job.grid, transform, width, height: 8 } }, { signal });
    const whole = createRenderEngine(options());
    await whole.image(
      { ...job, grid: { crs: "EPSG:32633", transform: GRID.transform, width: SIDE, height: SIDE } },
      { signal },
    );
    const expected = await cold();
    expect(Buffer.compare((await grown.image(job, { signal })).bytes, expected)).toBe(0);
    expect(Buffer.compare((await whole.image(job, { signal })).bytes, expected)).toBe(0);
  });

  test("is the same when many are rendered at once", async () => {
    const engine = createRenderEngine(options());
    const expected = await cold();
    const images = await Promise.all(
      JOBS.flatMap(([, other]) => [other, job].map((each) => engine.image(each, { signal }))),
    );
    expect(images.filter((_, i) => i % 2 === 1).every(({ bytes }) => Buffer.compare(bytes, expected) === 0)).toBe(true);
  });
});

test("render threads render what the main thread renders", async () => {
  const pool = new RenderPool({ threads: 2, settings: { render: options() } });
  const engine = createRenderEngine(options());
  try {
    const images = await Promise.all(JOBS.map(([, job]) => pool.render(job, { signal })));
    for (const [i, { bytes }] of images.entries()) {
      expect(Buffer.compare(bytes, (await engine.image(JOBS[i]![1], { signal })).bytes)).toBe(0);
    }
  } finally {
    await pool.close();
  }
});
