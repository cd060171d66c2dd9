import type { Catalog } from "@swath/catalog";
import { ImageCache, LowZooms, SharedImages, type SharedObjects } from "@swath/engine/node/images";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Services } from "../../src/operations/services.ts";
import { problemOf } from "../tools/answers.ts";
import { FULL, NOW, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { largestDifference, pixelsOf } from "../tools/images.ts";

const JULY = "datetime=2024-07";
/** The archive is in one tile of zoom 4. */
const AT = (z: number): string => `${z}/${Math.floor(275 / 2 ** (9 - z))}/${Math.floor(182 / 2 ** (9 - z))}`;
const TILES = "/v1/tiles/true-color/WebMercatorQuad";

interface Made {
  readonly service: TestService;
  readonly lowZooms: LowZooms;
  /** Jobs that the renderer was given, by kind. */
  readonly jobs: Readonly<Record<string, number>>;
  readonly searches: { count: number };
}

/** Objects in memory, as a bucket that nodes share. */
function memoryObjects(): SharedObjects & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    read: async (name) => kept.get(name),
    write: async (name, bytes) => void kept.set(name, bytes),
  };
}

/** A node whose presets begin at zoom 0. */
async function node(
  objects = memoryObjects(),
  replaced: Partial<Services> = {},
  isHeld: () => boolean = () => false,
  now: () => Date = () => NOW,
): Promise<Made & { readonly shared: SharedImages }> {
  const services = await sandboxServices({ registry: FULL.registry, ...replaced });
  const jobs: Record<string, number> = {};
  const searches = { count: 0 };
  const catalog: Catalog = {
    ...services.catalog,
    search: (...args) => {
      searches.count += 1;
      return services.catalog.search(...args);
    },
  };
  const renderer: Services["renderer"] = {
    ...services.renderer,
    render: (job, options) => {
      jobs[job.kind] = (jobs[job.kind] ?? 0) + 1;
      return services.renderer.render(job, options);
    },
  };
  const shared = new SharedImages({
    objects,
    secret: Buffer.from("a secret of tests"),
    lookUpMs: 60_000,
    maxAgeMs: 1e12,
  });
  const lowZooms = new LowZooms({
    ...services,
    catalog,
    renderer,
    images: new ImageCache(renderer, 1e8, () => {}, shared),
    isHeld,
    now,
  });
  const service = await testService({ ...replaced, catalog, renderer, lowZooms, now }, { profile: FULL });
  return { service, lowZooms, jobs, searches, shared };
}

/** Four pixels as one, by opacity: the definition, pixel by pixel. */
async function halved(image: { readonly width: number; readonly data: Uint8Array }): Promise<Uint8Array> {
  const half = image.width / 2;
  const out = new Uint8Array(half * half * 4);
  for (let y = 0; y < half; y++) {
    for (let x = 0; x < half; x++) {
      const of = [0, 1, image.width, image.width + 1].map((step) => 4 * (2 * y * image.width + 2 * x + step));
      const alpha = of.reduce((sum, at) => sum + image.data[at + 3]!, 0);
      out[4 * (y * half + x) + 3] = Math.round(alpha / 4);
      for (let c = 0; c < 3 && alpha > 0; c++) {
        out[4 * (y * half + x) + c] = Math.round(
          of.reduce((sum, at) => sum + image.data[at + c]! * image.data[at + 3]!, 0) / alpha,
        );
      }
    }
  }
  return out;
}

describe("tiles below the lowest zoom at which scenes are read", () => {
  test("are the four tiles below them: of 512 pixels theirs, of 256 their means", { tags: ["IM13"] }, async () => {
    const { service, lowZooms } = await node();
    const whole = async (path: string) => {
      await service.get(path);
      await lowZooms.idle();
      return pixelsOf(await service.get(path));
    };
    const large = await whole(`${TILES}/${AT(6)}@2x.png?${JULY}`);
    const [, x = 0, y = 0] = AT(6).split("/").map(Number);
    let shown = 0;
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const small = await pixelsOf(await service.get(`${TILES}/7/${2 * x + dx}/${2 * y + dy}.png?${JULY}`));
      const part = await sharp(large.data, { raw: { width: 512, height: 512, channels: 4 } })
        .extract({ left: 256 * dx, top: 256 * dy, width: 256, height: 256 })
        .raw()
        .toBuffer();
      expect(largestDifference(small, { width: 256, height: 256, data: part })).toBe(0);
      for (let i = 3; i < part.length; i += 4) if (part[i] !== 0) shown += 1;
    }
    expect(shown).toBeGreaterThan(100);
    const usual = await whole(`${TILES}/${AT(6)}.png?${JULY}`);
    expect(largestDifference(usual, { width: 256, height: 256, data: await halved(large) })).toBe(0);
    // and so on: of zoom 5 its quarter is that of zoom 6
    const above = await whole(`${TILES}/${AT(5)}@2x.png?${JULY}`);
    const quarter = await sharp(above.data, { raw: { width: 512, height: 512, channels: 4 } })
      .extract({ left: 256 * (x % 2), top: 256 * (y % 2), width: 256, height: 256 })
      .raw()
      .toBuffer();
    expect(largestDifference(usual, { width: 256, height: 256, data: quarter })).toBe(0);
  });

  test("of the whole world are made of the scenes there are, each place looked at once, and found by other nodes", {
    tags: ["IM13"],
  }, async () => {
    const objects = memoryObjects();
    const first = await node(objects);
    const path = `${TILES}/0/0/0.png?${JULY}`;
    const empty = await first.service.get(path);
    expect([empty.status, empty.headers.get("X-Scenes-Used"), empty.headers.get("X-Scenes-Truncated")]).toEqual([
      200,
      "0",
      "true",
    ]);
    expect(empty.headers.get("Cache-Control")).toBe("private, max-age=10");
    await first.lowZooms.idle();
    const whole = await first.service.get(path);
    expect(whole.headers.get("Cache-Control")).toBe("private, max-age=86400, stale-while-revalidate=86400");
    expect(whole.headers.get("X-Scenes-Truncated")).toBeNull();
    expect(Number(whole.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
    expect(whole.headers.get("X-Attribution")).toContain("2024");
    expect(whole.headers.get("ETag")).not.toBe(empty.headers.get("ETag"));
    // of 16,384 tiles of zoom 7 those over the scenes were drawn, and empty quarters were not looked into
    expect(first.jobs.tile).toBeLessThan(64);
    expect(first.searches.count).toBeLessThan(300);
    await first.shared.close();
    const second = await node(objects);
    const found = await second.service.get(path);
    expect(found.headers.get("ETag")).toBe(whole.headers.get("ETag"));
    expect(await pixelsOf(found)).toEqual(await pixelsOf(whole));
    expect([second.jobs.tile, second.searches.count]).toEqual([undefined, 0]);
  });

  test("show what is made of them until the rest is", { tags: ["IM13"] }, async () => {
    const { service, lowZooms } = await node();
    await service.get(`${TILES}/${AT(6)}.png?${JULY}`);
    await lowZooms.idle();
    // what is below is there, what is beside it is not
    const part = await service.get(`${TILES}/${AT(4)}.png?${JULY}`);
    expect(Number(part.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
    expect([part.headers.get("X-Scenes-Truncated"), part.headers.get("Cache-Control")]).toEqual([
      "true",
      "private, max-age=10",
    ]);
    await lowZooms.close();
  });

  test("use more scenes than a tile of the lowest zoom where those leave gaps", { tags: ["IM13"] }, async () => {
    const { tileScenes } = await sandboxServices({ registry: FULL.registry });
    const { service, lowZooms } = await node(memoryObjects(), {
      tileScenes: {
        async search(request, options) {
          const found = await tileScenes.search(request, options);
          // the first one 60 times, under other names
          const same = found.items
            .slice(0, 1)
            .flatMap((item) => Array.from({ length: 60 }, (_, i) => ({ ...item, id: `${item.id}-${i}` })));
          return { ...found, items: [...same, ...found.items] };
        },
      },
    });
    const lowest = await service.get(`${TILES}/${AT(7)}.png?${JULY}`);
    expect([lowest.headers.get("X-Scenes-Used"), lowest.headers.get("X-Scenes-Truncated")]).toEqual(["1", "true"]);
    const path = `${TILES}/${AT(6)}.png?${JULY}`;
    await service.get(path);
    await lowZooms.idle();
    const low = await service.get(path);
    expect(Number(low.headers.get("X-Scenes-Used"))).toBeGreaterThan(1);
    expect(low.headers.get("X-Scenes-Truncated")).toBeNull();
  });

  test("of a preset's own window are of the last midnight, and yesterday's are shown until today's are made", {
    tags: ["IM13"],
  }, async () => {
    let now = NOW;
    const { service, lowZooms, jobs } = await node(memoryObjects(), {}, undefined, () => now);
    const path = `${TILES}/${AT(6)}.png`;
    await service.get(path);
    await lowZooms.idle();
    const today = await service.get(path);
    expect(today.headers.get("Cache-Control")).toBe("private, max-age=3600");
    now = new Date(NOW.getTime() + 3_600_000);
    expect((await service.get(path)).headers.get("ETag")).toBe(today.headers.get("ETag"));
    const drawn = jobs.tile;
    now = new Date(NOW.getTime() + 86_400_000);
    const stale = await service.get(path);
    expect(stale.headers.get("Cache-Control")).toBe("private, max-age=10");
    expect(await pixelsOf(stale)).toEqual(await pixelsOf(today));
    await lowZooms.idle();
    expect(jobs.tile).toBeGreaterThan(drawn ?? 0);
    expect((await service.get(path)).headers.get("Cache-Control")).toBe("private, max-age=3600");
  });

  test("of a month that has not ended are made anew each day, and of one that has once", {
    tags: ["IM13"],
  }, async () => {
    let now = NOW;
    const { service, lowZooms, searches } = await node(memoryObjects(), {}, undefined, () => now);
    const ask = async (month: string): Promise<number> => {
      const before = searches.count;
      await service.get(`${TILES}/${AT(6)}.png?datetime=${month}`);
      await lowZooms.idle();
      return searches.count - before;
    };
    // the clock stands in June 2026
    expect([await ask("2026-06"), await ask("2024-07")].every((count) => count > 0)).toBe(true);
    expect([await ask("2026-06"), await ask("2024-07")]).toEqual([0, 0]);
    now = new Date(NOW.getTime() + 86_400_000);
    expect([(await ask("2026-06")) > 0, await ask("2024-07")]).toEqual([true, 0]);
  });

  test("are made while reading is allowed alone, and tried again a minute after a fault", {
    tags: ["IM13"],
  }, async () => {
    let [isHeld, now] = [true, NOW];
    const { service, lowZooms, jobs } = await node(
      memoryObjects(),
      {},
      () => isHeld,
      () => now,
    );
    const path = `${TILES}/${AT(6)}.png?${JULY}`;
    const ask = async (): Promise<string | null> => {
      await service.get(path);
      await lowZooms.idle();
      return (await service.get(path)).headers.get("X-Scenes-Truncated");
    };
    expect([await ask(), jobs.tile]).toEqual(["true", undefined]);
    isHeld = false;
    expect(await ask()).toBe("true");
    now = new Date(NOW.getTime() + 61_000);
    expect(await ask()).toBeNull();
  });

  test("of more than 24 maps are not begun in a day", { tags: ["IM13"] }, async () => {
    const { service, lowZooms, searches } = await node();
    const ask = async (month: number): Promise<number> => {
      const before = searches.count;
      await service.get(
        `${TILES}/${AT(6)}.png?datetime=${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`,
      );
      await lowZooms.idle();
      return searches.count - before;
    };
    for (let month = 0; month < 24; month++) expect(await ask(month)).toBeGreaterThan(0);
    expect(await ask(24)).toBe(0);
  });

  test("are of presets and of months alone: other windows would read all scenes anew", { tags: ["IM13"] }, async () => {
    const { service, searches } = await node();
    for (const path of [
      `${TILES}/${AT(6)}.png?datetime=2024-07-01/2024-07-20`,
      `/v1/tiles/custom/WebMercatorQuad/${AT(6)}.png?collection=sentinel-2-l2a&expression=nir/red&${JULY}`,
    ]) {
      expect(await problemOf(await service.get(path))).toMatchObject({ status: 400, code: "zoom-out-of-range" });
    }
    expect(searches.count).toBe(0);
    expect((await service.get(`${TILES}/${AT(6)}.png?datetime=2024-07-01/2024-07-31`)).status).toBe(200);
    expect((await problemOf(await service.get(`${TILES}/2/4/0.png?${JULY}`))).code).toBe("invalid-parameter");
  });

  test("are what TileJSON, WMTS and collections say", { tags: ["IM13"] }, async () => {
    const { service } = await node();
    const json = async (path: string) => (await (await service.get(path)).json()) as Record<string, unknown>;
    expect((await json(`${TILES}/tilejson.json`)).minzoom).toBe(0);
    expect((await json(`${TILES}/tilejson.json?datetime=2024-07-04`)).minzoom).toBe(7);
    expect((await json("/v1/collections/sentinel-2-l2a"))["svc:zoom"]).toEqual({ min: 0, scenes: 7, max: 14 });
    const capabilities = await (await service.get("/v1/tiles/true-color/WMTSCapabilities.xml")).text();
    expect(capabilities).toContain("<TileMatrix>0</TileMatrix>");
  });
});
