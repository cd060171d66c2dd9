import { gridFromBounds, type Raster, resolveCrs } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeMosaic, type Scene, SceneMismatchError, SceneReadError, SceneUnreadableError } from "../src/index.ts";
import { constantRaster, GRID, recorded, rectangle } from "./scenes.ts";

const left = (x: number): boolean => x < 8;
const values = (raster: Raster | undefined): number[] => [...new Set(raster?.bands[0])];

describe("pixels", () => {
  test("a mosaic of one scene is that scene's raster, not a copy", async () => {
    const raster = constantRaster(1);
    const mosaic = await composeMosaic([recorded([], "a", () => raster)], GRID);
    expect(mosaic).toEqual({ raster, used: ["a"], skipped: [], truncated: false });
    expect(mosaic.raster).toBe(raster);
  });

  test("each pixel names the first scene that has data there, and no scene's raster is written to", {
    tags: ["T9"],
  }, async () => {
    const one = constantRaster(1, GRID, left);
    const two = constantRaster(2, GRID, (_, y) => y < 8);
    const mosaic = await composeMosaic(
      [recorded([], "a", () => one), recorded([], "b", () => two), recorded([], "c", () => constantRaster(3))],
      GRID,
    );
    const expected = Array.from({ length: 256 }, (_, i) => (i % 16 < 8 ? 1 : i < 128 ? 2 : 3));
    expect([...(mosaic.raster?.bands[0] ?? [])]).toEqual(expected);
    expect(mosaic.raster?.valid).toEqual(new Uint8Array(256).fill(1));
    expect(mosaic.used).toEqual(["a", "b", "c"]);
    expect(values(one)).toEqual([1]);
    expect([...one.valid].reduce((a, b) => a + b)).toBe(128);
  });

  test("scenes that give no pixel are not among the used", async () => {
    const scenes = [
      recorded([], "outside", () => undefined),
      recorded([], "empty", () => constantRaster(9, GRID, () => false)),
      recorded([], "left", () => constantRaster(1, GRID, left)),
      recorded([], "left again", () => constantRaster(2, GRID, left)),
      recorded([], "all", () => constantRaster(3)),
    ];
    expect((await composeMosaic(scenes, GRID)).used).toEqual(["left", "all"]);
  });

  test("rasters are released once each, except the one that the mosaic holds", async () => {
    const [empty, one, two, three] = [
      constantRaster(9, GRID, () => false),
      constantRaster(1, GRID, left),
      constantRaster(2, GRID, (_, y) => y < 8),
      constantRaster(3),
    ];
    const released: Raster[] = [];
    const options = { release: (raster: Raster) => void released.push(raster) };
    const scenes = [empty, one, two, three].map((raster, i) => recorded([], String(i), () => raster));
    const mosaic = await composeMosaic(scenes, GRID, options);
    expect(released).toEqual([empty, one, two, three]);
    expect(released.every((raster, i) => raster === [empty, one, two, three][i])).toBe(true);
    expect(mosaic.raster).not.toBe(one);
    released.length = 0;
    expect((await composeMosaic([scenes[3]!], GRID, options)).raster).toBe(three);
    expect(released).toEqual([]);
  });

  test("without data there is no raster", async () => {
    const empty = recorded([], "empty", () => constantRaster(9, GRID, () => false));
    expect(await composeMosaic([empty], GRID)).toEqual({ raster: undefined, used: [], skipped: [], truncated: false });
    expect((await composeMosaic([], GRID)).raster).toBeUndefined();
  });

  test("equals the definition, pixel by pixel, for any validity, footprint and look-ahead", async () => {
    const grid = gridFromBounds(resolveCrs("EPSG:4326"), [0, 0, 8, 8], 8, 8);
    const mask = fc.array(fc.boolean(), { minLength: 64, maxLength: 64 });
    const scene = fc.record({
      mask,
      x: fc.nat(7),
      y: fc.nat(7),
      width: fc.integer({ min: 1, max: 8 }),
      known: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(scene, { maxLength: 7 }), fc.nat(3), async (plans, lookAhead) => {
        const log: string[] = [];
        const has = (i: number, x: number, y: number): boolean => {
          const plan = plans[i]!;
          const inside = x >= plan.x && x < plan.x + plan.width && y >= plan.y && y < plan.y + plan.width;
          return inside && plan.mask[y * 8 + x] === true;
        };
        const scenes = plans.map(({ x, y, width, known }, i) =>
          recorded(
            log,
            String(i),
            () => constantRaster(i + 1, grid, (px, py) => has(i, px, py)),
            known ? { footprint: [rectangle([x, 8 - y - width, x + width, 8 - y])] } : {},
          ),
        );
        const { raster, used } = await composeMosaic(scenes, grid, { lookAhead });
        const winners = Array.from({ length: 64 }, (_, p) =>
          plans.findIndex((_, i) => has(i, p % 8, Math.floor(p / 8))),
        );
        const drawn = Array.from({ length: 64 }, (_, p) => (raster?.valid[p] === 1 ? raster.bands[0]![p]! - 1 : -1));
        expect(drawn).toEqual(winners);
        expect(used).toEqual([...new Set(winners.filter((i) => i >= 0))].sort((a, b) => a - b).map(String));
        expect(log).toEqual([...log].sort());
        const fullAt = plans.findIndex((_, i) =>
          Array.from({ length: 64 }, (_, p) => winners[p]! >= 0 && winners[p]! <= i).every(Boolean),
        );
        if (fullAt >= 0) expect(log.every((id) => Number(id) <= fullAt)).toBe(true);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe("reading", () => {
  test("nothing is read after the grid is full", async () => {
    const log: string[] = [];
    const scenes = ["a", "b", "c"].map((id, i) => recorded(log, id, () => constantRaster(i + 1)));
    await composeMosaic(scenes, GRID, { lookAhead: 5 });
    expect(log).toEqual(["a"]);
  });

  test("scenes beside the grid are not read", async () => {
    const log: string[] = [];
    const extent = [
      { footprint: [rectangle([12, 45, 13, 46])] },
      { bbox: [10, 47, 11, 48] as const },
      { footprint: [rectangle([-170, -60, -169, -59])] },
      { footprint: [rectangle([11, 46, 13, 48])] },
    ];
    await composeMosaic(
      extent.map((where, i) => recorded(log, String(i), () => undefined, where)),
      GRID,
    );
    expect(log).toEqual(["3"]);
  });

  test("a scene wholly where pixels have data is not read", async () => {
    const log: string[] = [];
    const scenes = [
      recorded(log, "left", () => constantRaster(1, GRID, left), { footprint: [rectangle([10, 45, 10.8, 46.6])] }),
      recorded(log, "inner left", () => constantRaster(2), { footprint: [rectangle([10.1, 45.1, 10.6, 46.5])] }),
      recorded(log, "right", () => constantRaster(3), { footprint: [rectangle([10.7, 45, 11.6, 46.6])] }),
    ];
    const mosaic = await composeMosaic(scenes, GRID);
    expect(log).toEqual(["left", "right"]);
    expect(mosaic.used).toEqual(["left", "right"]);
  });

  test("a footprint with many gaps in its data does not hide the scenes below", async () => {
    const log: string[] = [];
    const whole = { footprint: [rectangle([10, 45, 11.6, 46.6])] };
    const scenes = [
      recorded(log, "a", () => constantRaster(1, GRID, (x, y) => x !== 7 || y !== 9), whole),
      recorded(log, "b", () => constantRaster(2), whole),
    ];
    const mosaic = await composeMosaic(scenes, GRID);
    expect(mosaic.raster?.bands[0]?.[9 * 16 + 7]).toBe(2);
    expect(log).toEqual(["a", "b"]);
  });

  test("the next scene is read ahead exactly where footprints say that the first cannot fill the grid", async () => {
    const started = async (extents: Pick<Scene, "footprint">[], lookAhead?: number): Promise<string[]> => {
      const log: string[] = [];
      const controller = new AbortController();
      const scenes = extents.map((extent, i) => recorded(log, String(i), () => new Promise(() => {}), extent));
      const options = lookAhead === undefined ? {} : { lookAhead };
      const mosaic = composeMosaic(scenes, GRID, { signal: controller.signal, ...options });
      await Promise.resolve();
      controller.abort();
      await expect(mosaic).rejects.toThrow("aborted");
      return log;
    };
    const west = { footprint: [rectangle([10, 45, 10.8, 46.6])] };
    const east = { footprint: [rectangle([10.8, 45, 11.6, 46.6])] };
    const whole = { footprint: [rectangle([9, 44, 12, 47])] };
    expect(await started([west, east])).toEqual(["0", "1"]);
    expect(await started([west, east], 0)).toEqual(["0"]);
    expect(await started([whole, east])).toEqual(["0"]);
    expect(await started([west, west])).toEqual(["0"]);
    expect(await started([{}, east])).toEqual(["0"]);
    expect(await started([west, {}])).toEqual(["0"]);
    expect(await started([west, east, whole], 2)).toEqual(["0", "1"]);
  });

  test("footprints on both sides of the antimeridian reach a grid that crosses it", async () => {
    const log: string[] = [];
    const grid = gridFromBounds(resolveCrs("EPSG:32660"), [560_000, 7_300_000, 720_000, 7_400_000], 16, 10);
    const extent = [
      { footprint: [rectangle([179, 65, 180, 67]), rectangle([-180, 65, -179, 67])] },
      { bbox: [179, 65, -179, 67] as const },
      { footprint: [rectangle([-179.9, 66, -179, 66.5])] },
      { footprint: [rectangle([170, 66, 172, 66.5])] },
      { footprint: [rectangle([-150, 66, -149, 66.5])] },
    ];
    await composeMosaic(
      extent.map((where, i) => recorded(log, String(i), () => undefined, where)),
      grid,
    );
    expect(log).toEqual(["0", "1", "2"]);
  });
});

describe("maxScenes", () => {
  const part = (id: string, from: number, to: number, log: string[] = []): Scene =>
    recorded(log, id, () => constantRaster(1, GRID, (x) => x >= from && x < to), {
      footprint: [rectangle([10 + from / 10, 45, 10 + to / 10, 46.6])],
    });

  test.each([
    { name: "more would be needed", scenes: [part("a", 0, 4), part("b", 4, 8), part("c", 8, 16)], truncated: true },
    { name: "two fill the grid", scenes: [part("a", 0, 8), part("b", 8, 16), part("c", 0, 16)], truncated: false },
    { name: "the rest adds nothing", scenes: [part("a", 0, 4), part("b", 2, 8), part("c", 1, 7)], truncated: false },
    { name: "there is no rest", scenes: [part("a", 0, 4), part("b", 4, 8)], truncated: false },
  ])("at most two scenes, $name: truncated $truncated", async ({ scenes, truncated }) => {
    const mosaic = await composeMosaic(scenes, GRID, { maxScenes: 2 });
    expect(mosaic.used).toEqual(["a", "b"]);
    expect(mosaic.truncated).toBe(truncated);
  });

  test("an unreadable scene does not count", async () => {
    const broken = recorded([], "broken", () => Promise.reject(new SceneUnreadableError("broken", "gone")));
    const mosaic = await composeMosaic([broken, part("a", 0, 8), part("b", 8, 16)], GRID, { maxScenes: 2 });
    expect(mosaic).toMatchObject({ used: ["a", "b"], truncated: false });
  });
});

describe("faults", () => {
  const gone = new SceneUnreadableError("b", "The file of scene b is gone.");
  const scenes = (): Scene[] => [
    recorded([], "a", () => constantRaster(1, GRID, left)),
    recorded([], "b", () => Promise.reject(gone)),
    recorded([], "c", () => constantRaster(3)),
  ];

  test("a scene that can never be read is skipped and named", async () => {
    const mosaic = await composeMosaic(scenes(), GRID);
    expect(mosaic.used).toEqual(["a", "c"]);
    expect(mosaic.skipped).toEqual([{ id: "b", error: gone }]);
    expect(values(mosaic.raster)).toEqual([1, 3]);
  });

  test("or fails the mosaic, as requested", async () => {
    await expect(composeMosaic(scenes(), GRID, { onUnreadable: "fail" })).rejects.toBe(gone);
  });

  test("a passing fault names the scene and aborts the other reads", async () => {
    const cause = new Error("connection reset");
    let aborted = false;
    const waiting = recorded(
      [],
      "a",
      (_, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason);
          });
        }),
      { footprint: [rectangle([10, 45, 10.8, 46.6])] },
    );
    const failing = recorded([], "b", () => Promise.reject(cause), { footprint: [rectangle([10.8, 45, 11.6, 46.6])] });
    const error: unknown = await composeMosaic([waiting, failing], GRID).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SceneReadError);
    expect(error).toMatchObject({ code: "scene-read-failed", sceneId: "b", cause });
    expect(aborted).toBe(true);
  });

  test("an abort ends the mosaic with its reason at once and leaves no read pending", async () => {
    const controller = new AbortController();
    const pending = new Set<string>();
    const slow = (id: string, west: number): Scene =>
      recorded(
        [],
        id,
        (_, signal) => {
          pending.add(id);
          return new Promise((_, reject) => {
            signal?.addEventListener("abort", () => {
              pending.delete(id);
              reject(signal.reason);
            });
          });
        },
        { footprint: [rectangle([west, 45, west + 0.4, 46.6])] },
      );
    const mosaic = composeMosaic([slow("a", 10), slow("b", 10.5), slow("c", 11)], GRID, {
      signal: controller.signal,
      lookAhead: 2,
    });
    await Promise.resolve();
    expect([...pending]).toEqual(["a", "b", "c"]);
    controller.abort(new Error("the client left"));
    await expect(mosaic).rejects.toThrow("the client left");
    expect(pending.size).toBe(0);
  });

  test("an abort does not wait for a scene that ignores it, and nothing starts after it", async () => {
    const log: string[] = [];
    const aborted = AbortSignal.abort(new Error("too late"));
    const deaf = recorded(log, "deaf", () => new Promise<undefined>(() => {}));
    await expect(composeMosaic([deaf], GRID, { signal: aborted })).rejects.toThrow("too late");
    expect(log).toEqual([]);
    const controller = new AbortController();
    const mosaic = composeMosaic([deaf], GRID, { signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(mosaic).rejects.toThrow("gone");
  });

  test.each<{ name: string; raster: Raster }>([
    { name: "another sample type", raster: { ...constantRaster(2), bands: [new Int16Array(256)] } },
    {
      name: "another band count",
      raster: { ...constantRaster(2), bands: [new Uint16Array(256), new Uint16Array(256)] },
    },
    { name: "another size", raster: { ...constantRaster(2), bands: [new Uint16Array(255)] } },
    {
      name: "another grid",
      raster: constantRaster(2, gridFromBounds(resolveCrs("EPSG:4326"), [10, 45, 11.7, 46.6], 16, 16)),
    },
  ])("a scene of $name is named in a typed error", async ({ raster }) => {
    const odd = recorded([], "odd", () => raster);
    const error: unknown = await composeMosaic(
      [recorded([], "a", () => constantRaster(1, GRID, left)), odd],
      GRID,
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SceneMismatchError);
    expect(error).toMatchObject({ code: "scene-mismatch", sceneId: "odd" });
  });
});
