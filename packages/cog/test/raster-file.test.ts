import { gridFromBounds, resolveCrs, scaleAffine, type Window, windowGrid } from "@swath/raster";
import { expect, test } from "vitest";
import {
  CogError,
  FileCache,
  type InterleavedRgb,
  levelFor,
  type RasterFile,
  readGrid,
  readGrids,
  readWindow,
  type WindowOptions,
  type WindowRaster,
} from "../src/index.ts";

const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [400_000, 5_000_000, 400_640, 5_000_640], 64, 64);

/** A file of no format: the sample of a pixel is its column, plus a hundred per level. */
class Columns implements RasterFile {
  readonly key = "columns";
  readonly grid = GRID;
  readonly bandCount: number = 1;
  readonly headerBytes = 100;
  readonly levels = [0, 1, 2].map((index) => {
    const side = 64 >> index;
    const transform = scaleAffine(GRID.transform, 64 / side, 64 / side);
    return { index, width: side, height: side, grid: { ...GRID, transform, width: side, height: side } };
  });
  readonly asked: { readonly level: number; readonly window: Window; readonly options: WindowOptions }[] = [];
  readonly georeferenceProblem: string | undefined;

  constructor(georeferenceProblem?: string) {
    this.georeferenceProblem = georeferenceProblem;
  }

  async readPixels(level: number, window: Window, options: WindowOptions = {}): Promise<WindowRaster | InterleavedRgb> {
    this.asked.push({ level, window, options });
    const { allocate = (_, length) => new Uint16Array(length) } = options;
    const count = window.width * window.height;
    const band = allocate("uint16", count);
    for (let i = 0; i < count; i++) band[i] = 100 * level + window.x + (i % window.width);
    const valid = new Uint8Array(count).fill(1);
    return { grid: windowGrid(this.levels[level]!.grid, window), bands: [band], valid, nodata: undefined };
  }
}

test("a window of a file of any format is what its reader gives", async () => {
  const file = new Columns();
  const { bands, grid } = await readWindow(file, 1, { x: 3, y: 5, width: 4, height: 1 }, { nodata: 7 });
  expect([...bands[0]!]).toEqual([103, 104, 105, 106]);
  expect(grid.transform).toEqual([20, 0, 400_060, 0, -20, 5_000_540]);
  expect(file.asked[0]!.options.nodata).toBe(7);
});

test("a file of any format is warped from the level that a grid needs, beside others", async () => {
  const [one, two] = [new Columns(), new Columns()];
  const target = gridFromBounds(GRID.crs, [400_160, 5_000_160, 400_480, 5_000_480], 16, 16);
  expect(levelFor(one, target, "gdal")).toBe(1);
  const [first, second] = await readGrids([{ file: one }, { file: two, level: 0 }], target);
  expect([...first!.bands[0]!.subarray(0, 3)]).toEqual([108, 109, 110]);
  expect([...second!.bands[0]!.subarray(0, 3)]).toEqual([17, 19, 21]);
  const part = { x: 8, y: 8, width: 16, height: 16 };
  expect(one.asked).toMatchObject([{ level: 1, window: part }]);
});

test("three bands of bytes may come interleaved", async () => {
  const rgb = Uint8Array.from({ length: 3 * 64 * 64 }, (_, i) => (i % 3) * 50 + 1);
  class Rgb extends Columns {
    override readonly bandCount = 3;
    override async readPixels(): Promise<InterleavedRgb> {
      return { grid: GRID, rgb, nodata: undefined };
    }
  }
  const { bands, valid } = await readWindow(new Rgb(), 0, { x: 0, y: 0, width: 64, height: 64 });
  expect(bands.map((band) => band[9])).toEqual([1, 51, 101]);
  expect(valid[9]).toBe(1);
});

test("a file that does not say where it is is not warped, with its own reason", async () => {
  const reading = readGrid(new Columns("It lies on no map."), GRID);
  await expect(reading).rejects.toMatchObject({ code: "no-georeference" });
  await expect(reading).rejects.toThrow("columns has no usable georeference. It lies on no map.");
});

test("open files of any format are kept under a budget, and openings are shared", async () => {
  const cache = new FileCache({ maxBytes: 250 });
  let opened = 0;
  const open = async () => {
    opened += 1;
    return new Columns();
  };
  const [a, again] = await Promise.all([cache.share("a", open), cache.share("a", open)]);
  expect(again).toBe(a);
  expect(opened).toBe(1);
  await cache.share("b", open);
  await cache.share("c", open);
  expect(cache.use).toMatchObject({ entries: 2, bytes: 200 });
  const failing = cache.share("d", () => Promise.reject(new CogError("unavailable", "no answer")));
  await expect(failing).rejects.toThrow("no answer");
  expect(await cache.share("d", open)).toBeInstanceOf(Columns);
});
