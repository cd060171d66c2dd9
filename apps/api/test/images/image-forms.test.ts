import type { AddressLimits } from "@swath/accounts";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { json, problemOf } from "../tools/answers.ts";
import { hasGdal } from "../tools/gdal.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";
import { largestDifference, pixelsOf } from "../tools/images.ts";
import { tileAt, warpedByGdal } from "../tools/warped.ts";

const JULY = "datetime=2024-07-01/2024-07-31";
const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182";
const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const OPEN: AddressLimits = { take: async () => undefined, removeExpired: async () => {} };

let service: TestService;
let lean: TestService;
beforeAll(async () => {
  service = await testService({ addressLimits: OPEN, tileCacheBytes: 1e8 }, { profile: FULL });
  lean = await testService({}, { profile: LEAN });
});

describe("images that are finished already", () => {
  test("are public for callers without a key, and vary by the headers of keys", { tags: ["IM1"] }, async () => {
    const address = `${TILE}.png?${JULY}`;
    expect((await service.request(address)).status).toBe(401);
    const own = await service.get(address);
    expect(own.headers.get("Cache-Control")).toBe("private, max-age=86400, stale-while-revalidate=86400");
    const anyone = await service.request(address);
    expect(anyone.status).toBe(200);
    expect(anyone.headers.get("Cache-Control")).toBe("public, max-age=86400, stale-while-revalidate=86400");
    const vary = anyone.headers.get("Vary")?.split(", ") ?? [];
    expect(vary).toEqual(expect.arrayContaining(["Authorization", "X-API-Key"]));
    const etag = anyone.headers.get("ETag") ?? "";
    const again = await service.request(address, { headers: { "If-None-Match": etag } });
    expect([again.status, again.headers.get("Cache-Control")]).toEqual([304, anyone.headers.get("Cache-Control")]);
  });

  test("a refusal of one that is not finished is kept by no cache", { tags: ["IM1"] }, async () => {
    const refused = await service.request(`${TILE}.webp?datetime=2024-06-01/2024-06-30`);
    expect([refused.status, refused.headers.get("Cache-Control")]).toEqual([401, "no-store"]);
  });
});

describe("tiles of 512 pixels", () => {
  test("are the four tiles of the next zoom, pixel by pixel, by either way to ask", { tags: ["IM2"] }, async () => {
    const ask = async (path: string) => pixelsOf(await service.get(path));
    const large = await ask(`/v1/tiles/ndvi/WebMercatorQuad/9/275/182@2x.png?${JULY}`);
    expect([large.width, large.height]).toEqual([512, 512]);
    const byQuery = await ask(`/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?${JULY}&tile_size=512`);
    expect(largestDifference(large, byQuery)).toBe(0);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const small = await ask(`/v1/tiles/ndvi/WebMercatorQuad/10/${550 + dx}/${364 + dy}.png?${JULY}`);
      const part = await sharp(large.data, { raw: { width: 512, height: 512, channels: 4 } })
        .extract({ left: 256 * dx, top: 256 * dy, width: 256, height: 256 })
        .raw()
        .toBuffer();
      expect(largestDifference(small, { width: 256, height: 256, data: part })).toBe(0);
    }
  });

  test.skipIf(!hasGdal)("hold what GDAL warps to their pixels", { tags: ["IM2"] }, async () => {
    const tile = { set: "WebMercatorQuad", ...tileAt(13, 13.35, 45.55), size: 512 } as const;
    const path = `/v1/tiles/false-color/WebMercatorQuad/${tile.z}/${tile.x}/${tile.y}@2x.png?datetime=2024-07-04`;
    const response = await service.get(path);
    expect(response.headers.get("X-Scenes-Used")).toBe("1");
    const shown = await pixelsOf(response);
    const expected = await warpedByGdal(service, SCENE, ["B08", "B04", "B03"], tile);
    let compared = 0;
    for (let i = 0; i < 512 * 512; i++) {
      if (expected.some((band) => band[i] === 0) || shown.data[4 * i + 3] === 0) continue;
      compared += 1;
      for (const [c, band] of expected.entries()) {
        // the recipe's range, by which stored numbers become levels
        const level = Math.min(255, Math.max(0, (((band[i] ?? 0) - 1000) / 4000) * 255));
        expect(Math.abs((shown.data[4 * i + c] ?? 0) - level)).toBeLessThanOrEqual(1.1);
      }
    }
    expect(compared).toBeGreaterThan(200_000);
  });

  test("a size that there is none of is 400 that names it, as are all in lean v1", { tags: ["IM2"] }, async () => {
    const wrong = await service.get(`${TILE}.png?tile_size=300`);
    expect(await problemOf(wrong)).toMatchObject({ status: 400, errors: [{ pointer: "tile_size" }] });
    expect(await problemOf(await service.get(`${TILE}@3x.png`))).toMatchObject({ errors: [{ pointer: "y" }] });
    for (const path of [`${TILE}@2x.png`, `${TILE}.png?tile_size=512`, `${TILE}.jpeg`]) {
      expect([path, (await lean.get(path)).status]).toEqual([path, 400]);
    }
  });
});

test("jpeg is another word for jpg, of tiles, previews and TileJSON", { tags: ["IM3"] }, async () => {
  const preview = `/v1/collections/sentinel-2-l2a/items/${SCENE}/preview`;
  for (const [path, query] of [
    [TILE, `?${JULY}`],
    [preview, "?max_size=64"],
  ] as const) {
    const [long, short] = [await service.get(`${path}.jpeg${query}`), await service.get(`${path}.jpg${query}`)];
    expect(long.headers.get("Content-Type")).toBe("image/jpeg");
    expect(long.headers.get("ETag")).toBe(short.headers.get("ETag"));
  }
  const tileJson = await json(await service.get("/v1/tiles/ndvi/WebMercatorQuad/tilejson.json?format=jpeg"));
  expect(tileJson).toMatchObject({ tiles: [expect.stringMatching(/\.jpg$/)] });
});

describe("legends", () => {
  const legend = async (path: string) => json(await service.request(`/v1/presets/${path}`));

  test("of an index have its range and the colors of its table, without a key", { tags: ["IM4"] }, async () => {
    const { stops, ...rest } = (await legend("ndvi/legend.json")) as { stops: { value: number; color: string }[] };
    expect(rest).toMatchObject({
      preset: "ndvi",
      kind: "ramp",
      range: [-0.2, 0.8],
      colormap: "rdylgn",
      ticks: [-0.2, 0, 0.2, 0.4, 0.6, 0.8],
    });
    expect(rest).not.toHaveProperty("unit");
    // matplotlib's RdYlGn: its first and last colors
    expect([stops[0], stops.at(-1)]).toEqual([
      { value: -0.2, color: "#a50026" },
      { value: 0.8, color: "#006837" },
    ]);
  });

  test("of temperature and height have their units", { tags: ["IM4"] }, async () => {
    expect(await legend("thermal/legend.json")).toMatchObject({ unit: "K", range: [270, 320] });
    expect(await legend("elevation/legend.json?collection=dem")).toMatchObject({ unit: "m", range: [0, 3000] });
  });

  test("of bands say what each color shows", { tags: ["IM4"] }, async () => {
    expect(await legend("false-color/legend.json")).toMatchObject({
      kind: "channels",
      channels: [
        { color: "red", shows: "nir" },
        { color: "green", shows: "red" },
        { color: "blue", shows: "green" },
      ],
    });
  });

  test.each(FULL.registry.presets.map(({ id }) => id))(
    "of %s is drawn as PNG with an ETag",
    { tags: ["IM4"] },
    async (id) => {
      const response = await service.request(`/v1/presets/${id}/legend.png`);
      expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
      const { width, height } = await sharp(Buffer.from(await response.clone().arrayBuffer())).metadata();
      expect([width, height]).toEqual([320, 84]);
      const headers = { "If-None-Match": response.headers.get("ETag") ?? "" };
      expect((await service.request(`/v1/presets/${id}/legend.png`, { headers })).status).toBe(304);
    },
  );

  test("of unknown presets and formats are 404 and 400, and lean v1 has none", { tags: ["IM4"] }, async () => {
    expect((await service.request("/v1/presets/nothing/legend.png")).status).toBe(404);
    expect((await service.request("/v1/presets/ndvi/legend.gif")).status).toBe(400);
    expect((await lean.request("/v1/presets/ndvi/legend.png")).status).toBe(404);
  });
});
