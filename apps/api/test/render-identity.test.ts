import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, type Raster, resolveCrs, tileGrid, transformer } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDrawer } from "../src/render/draw.ts";
import type { StyleSpec, TileJob } from "../src/render/job.ts";
import { RenderPool } from "../src/render/pool.ts";

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

const COLORS: StyleSpec = { resampling: "bilinear", rescale: [[1000, 3000]] };
const INDEX: StyleSpec = {
  resampling: "nearest",
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
  const assets = [0, 1, 2].slice(0, bands).map((band) => ({ href: `archive:${band}.tif` }));
  return {
    kind: "tile",
    grid: { crs: crs.name, transform, width, height },
    scenes: [{ id: "scene", footprint: [], assets }],
    more: false,
    style,
    format,
  };
}

const JOBS: readonly (readonly [string, TileJob])[] = [
  ["colours, the file's corner with holes", jobOf(12, 100, 100, COLORS, 3, "png")],
  ["colours, a part of some blocks", jobOf(14, 480, 500, COLORS, 3, "png")],
  ["colours as JPEG", jobOf(13, 600, 300, COLORS, 3, "jpg")],
  ["colours as WebP", jobOf(13, 300, 700, COLORS, 3, "webp")],
  ["an index, nearest", jobOf(13, 500, 500, INDEX, 2, "png")],
  ["an index, wider than the file", jobOf(10, 450, 450, INDEX, 2, "png")],
];

describe.each(JOBS)("%s", (_, job) => {
  const cold = async (): Promise<Uint8Array> => (await createDrawer(options()).draw(job, { signal })).bytes;

  test("shows something", async () => {
    expect((await createDrawer(options()).draw(job, { signal })).used).toEqual(["scene"]);
  });

  test("is the same cold and warm", async () => {
    const drawer = createDrawer(options());
    const first = (await drawer.draw(job, { signal })).bytes;
    const second = (await drawer.draw(job, { signal })).bytes;
    expect(Buffer.compare(first, await cold())).toBe(0);
    expect(Buffer.compare(second, first)).toBe(0);
  });

  test("is the same from blocks decoded in part, grown, and whole", async () => {
    const grown = createDrawer(options());
    // a sliver first, so that few rows of some blocks are held when the tile asks for more
    const { transform, width } = job.grid;
    await grown.draw({ ...job, grid: { ...job.grid, transform, width, height: 8 } }, { signal });
    const whole = createDrawer(options());
    await whole.draw(
      { ...job, grid: { crs: "EPSG:32633", transform: GRID.transform, width: SIDE, height: SIDE } },
      { signal },
    );
    const expected = await cold();
    expect(Buffer.compare((await grown.draw(job, { signal })).bytes, expected)).toBe(0);
    expect(Buffer.compare((await whole.draw(job, { signal })).bytes, expected)).toBe(0);
  });

  test("is the same when many are drawn at once", async () => {
    const drawer = createDrawer(options());
    const expected = await cold();
    const pictures = await Promise.all(
      JOBS.flatMap(([, other]) => [other, job].map((each) => drawer.draw(each, { signal }))),
    );
    expect(pictures.filter((_, i) => i % 2 === 1).every(({ bytes }) => Buffer.compare(bytes, expected) === 0)).toBe(
      true,
    );
  });
});

test("render threads draw what the main thread draws", async () => {
  const pool = new RenderPool({ threads: 2, settings: { draw: options() } });
  const drawer = createDrawer(options());
  try {
    const pictures = await Promise.all(JOBS.map(([, job]) => pool.render(job, { signal })));
    for (const [i, { bytes }] of pictures.entries()) {
      expect(Buffer.compare(bytes, (await drawer.draw(JOBS[i]![1], { signal })).bytes)).toBe(0);
    }
  } finally {
    await pool.close();
  }
});
