import type { Catalog } from "@swath/catalog";
import { findImage } from "@swath/engine/node/images";
import type { TileJob } from "@swath/engine/node/jobs";
import { tileBbox } from "@swath/raster";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { FULL, sandboxServices, testService } from "../tools/harness.ts";
import { largestDifference, opaque, pixelsOf } from "../tools/images.ts";
import { type Json, startSession, type ToolResult } from "../tools/mcp-client.ts";

const service = await testService({}, { profile: FULL });
const session = await startSession(service);
const ITEM = "S2B_T33TUL_20240704T100211_L2A";
const JULY = "2024-07-01/2024-07-31";
const BOX = [13.2, 45.4, 13.4, 45.6];

/** Renders, and gives the image as a client sees it. */
async function render(input: Json): Promise<{ result: ToolResult; image: Response; type: string }> {
  const { result } = await session.call("render", input);
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  const block = result.content.find(({ type }) => type === "image");
  const { data = "", mimeType = "" } = block ?? {};
  return { result, image: new Response(Buffer.from(data, "base64")), type: mimeType };
}

describe("a box", () => {
  test.each([
    { preset: "true-color", z: 11, x: 1099, y: 732 },
    { preset: "ndvi", z: 10, x: 549, y: 366 },
    { preset: "ndvi", collection: "landsat-ot-l2", z: 9, x: 275, y: 182 },
    { preset: "false-color", z: 9, x: 274, y: 182 },
    { preset: "hillshade", z: 11, x: 1099, y: 732 },
  ])("that is tile $z/$x/$y of $preset has the tile's pixels", { tags: ["MC10"] }, async ({ z, x, y, ...asked }) => {
    const bbox = [...tileBbox("WebMercatorQuad", z, x, y)];
    const datetime = asked.preset === "hillshade" ? undefined : JULY;
    const { image, type, result } = await render({ ...asked, bbox, datetime, size: 256 });
    const query = new URLSearchParams({
      ...(asked.collection === undefined ? {} : { collection: asked.collection }),
      ...(datetime === undefined ? {} : { datetime }),
    });
    const format = type === "image/jpeg" ? "jpg" : "png";
    const tile = await service.get(`/v1/tiles/${asked.preset}/WebMercatorQuad/${z}/${x}/${y}.${format}?${query}`);
    expect(tile.headers.get("Content-Type")).toBe(type);
    const [own, other] = [await pixelsOf(image), await pixelsOf(tile.clone())];
    expect(opaque(own)).toBeGreaterThan(1000);
    expect(largestDifference(own, other)).toBe(0);
    expect(String((result.structuredContent.itemIds as string[]).length)).toBe(tile.headers.get("X-Scenes-Used"));
    expect(result.structuredContent.attribution).toBe(tile.headers.get("X-Attribution"));
  });

  test.each([
    [512, 359, 512],
    [1024, 718, 1024],
    [64, 45, 64],
  ])("of size %i has a long edge of so many pixels", async (size, width, height) => {
    const { image } = await render({ preset: "ndvi", bbox: BOX, datetime: JULY, size });
    expect(await pixelsOf(image)).toMatchObject({ width, height });
  });

  test("says what it shows, of which scenes, whose they are, and where it can be seen on a map", {
    tags: ["MC10"],
  }, async () => {
    const { result, type } = await render({ preset: "true-color", bbox: BOX, datetime: JULY });
    expect(result.structuredContent).toMatchObject({
      preset: "true-color",
      collection: "sentinel-2-l2a",
      bbox: BOX,
      mediaType: type,
      size: 512,
      itemIds: [expect.stringMatching(/^S2/)],
      skipped: [],
      attribution: "Contains modified Copernicus Sentinel data 2024",
    });
    const link = result.content.find((block) => block.type === "resource_link");
    expect(link?.uri).toBe(
      "http://service.test/explore#preset=true-color&collection=sentinel-2-l2a&dates=2024-07-01/2024-07-31&map=11.26/45.50000/13.30000",
    );
    const links = result.structuredContent.links as { rel: string; href: string }[];
    expect(links.map(({ rel }) => rel)).toEqual(["alternate", "tiles"]);
    const { pathname, search } = new URL(links[1]?.href ?? "");
    expect((await service.get(pathname + search)).status).toBe(200);
  });

  test("may cross the antimeridian: it is one image, of the scenes on both sides", async () => {
    const bbox = [179.7, 45.4, -179.9, 45.6] as const;
    const searched: unknown[] = [];
    const tileScenes = {
      search: async (request: { readonly bbox: unknown }) => {
        searched.push(request.bbox);
        return { items: [], truncated: false };
      },
    };
    const { plan } = await findImage(
      { registry: FULL.registry, tileScenes, now: () => new Date("2024-08-01T00:00:00Z"), catalog: {} as Catalog },
      {
        where: { kind: "area", bbox, frame: { size: 400 } },
        when: {},
        what: { preset: "ndvi" },
        into: { kind: "image", format: "png" },
      },
      { signal: new AbortController().signal },
    );
    expect(searched).toEqual([bbox]);
    const { grid } = plan.job as TileJob;
    const half = Math.PI * 6_378_137;
    const [metres, , west, , , north] = grid.transform;
    expect([grid.width, west / half, (west + 400 * metres) / half].map((value) => Number(value.toFixed(9)))).toEqual([
      400, 0.998333333, 1.000555556,
    ]);
    expect(north).toBeGreaterThan(0);
    const { result, image } = await render({ preset: "ndvi", bbox: [...bbox], datetime: JULY, size: 128 });
    expect(await pixelsOf(image)).toMatchObject({ width: 128 });
    expect(result.structuredContent.bbox).toEqual(bbox);
    const [map] = result.structuredContent.links as { href: string }[];
    expect(map?.href).toContain("/45.50000/179.90000");
  });

  test("without scenes is empty, and the text says so", async () => {
    const { result, image } = await render({ preset: "ndvi", bbox: BOX, datetime: "1999-01-01/1999-02-01", size: 64 });
    expect(opaque(await pixelsOf(image))).toBe(0);
    expect(result.content[0]?.text).toContain("no scene: the image is empty");
  });

  test("an old client gets the link as text", async () => {
    const old = await startSession(service, { version: "2025-03-26" });
    const { result } = await old.call("render", { preset: "ndvi", bbox: BOX, datetime: JULY, size: 64 });
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
    expect(result.content[2]?.text).toContain("http://service.test/explore#");
  });
});

describe("an item", () => {
  test("has the pixels of its preview", { tags: ["MC10"] }, async () => {
    const { image, type, result } = await render({ preset: "true-color", item: ITEM, size: 256 });
    const preview = await service.get(`/v1/collections/sentinel-2-l2a/items/${ITEM}/preview.png?max_size=256`);
    expect(type).toBe("image/png");
    expect(largestDifference(await pixelsOf(image), await pixelsOf(preview.clone()))).toBe(0);
    expect(result.structuredContent).toMatchObject({ itemIds: [ITEM], collection: "sentinel-2-l2a" });
    const links = result.structuredContent.links as { rel: string; href: string }[];
    expect(links[0]?.href).toContain(`dates=2024-07-04/2024-07-04&scene=${ITEM}&map=`);
    expect((await service.get(new URL(links[1]?.href ?? "").pathname)).status).toBe(200);
  });

  test("is drawn by any preset of its collection", async () => {
    const colour = await render({ preset: "true-color", item: ITEM, size: 64 });
    const index = await render({ preset: "ndvi", item: ITEM, collection: "S2L2A", size: 64 });
    expect(largestDifference(await pixelsOf(colour.image), await pixelsOf(index.image))).toBeGreaterThan(50);
  });
});

describe("percentiles", () => {
  test("are those of what the image shows: the answer says their values, and tiles of the same have them", {
    tags: ["MC10"],
  }, async () => {
    const asked = { preset: "custom", collection: "sentinel-2-l2a", bands: ["nir"], size: 128 };
    for (const where of [{ bbox: BOX, datetime: JULY }, { item: ITEM }]) {
      const { result, image } = await render({ ...asked, ...where, rescale: "p2,p98" });
      const { rescale, links } = result.structuredContent as {
        rescale: number[];
        links: { rel: string; href: string }[];
      };
      expect(rescale).toHaveLength(2);
      const same = await render({ ...asked, ...where, rescale });
      expect(largestDifference(await pixelsOf(image), await pixelsOf(same.image))).toBe(0);
      expect(same.result.structuredContent.rescale).toBeUndefined();
      const tiles = links.find(({ rel }) => rel === "tiles");
      if ("bbox" in where) expect(new URL(tiles?.href ?? "").searchParams.get("rescale")).toBe(rescale.join(","));
    }
  });

  test("of a scene are those of its preview", { tags: ["MC10"] }, async () => {
    const asked = { preset: "custom", collection: "sentinel-2-l2a", expression: "nir - red", rescale: "p5,p95" };
    const { result, image } = await render({ ...asked, item: ITEM, size: 64 });
    const query = new URLSearchParams({ preset: "custom", expression: "nir - red", rescale: "p5,p95", max_size: "64" });
    const preview = await service.get(`/v1/collections/sentinel-2-l2a/items/${ITEM}/preview.png?${query}`);
    expect(String(result.structuredContent.rescale)).toBe(preview.headers.get("X-Rescale"));
    expect(largestDifference(await pixelsOf(image), await pixelsOf(preview))).toBe(0);
  });
});

test("the largest images stay under a megabyte of base64", { tags: ["MC10"] }, async () => {
  for (const input of [
    { preset: "true-color", item: ITEM, size: 1024 },
    { preset: "true-color", bbox: [13.0, 45.3, 13.6, 45.7], datetime: JULY, size: 1024 },
    { preset: "hillshade", bbox: [13.0, 45.3, 13.6, 45.7], size: 1024 },
  ]) {
    const { result, image, type } = await render(input);
    const data = result.content.find((block) => block.type === "image")?.data ?? "";
    expect(data.length).toBeLessThan(1_000_000);
    const facts = await sharp(Buffer.from(await image.arrayBuffer())).metadata();
    expect([Math.max(facts.width, facts.height), `image/${facts.format}`]).toEqual([1024, type]);
  }
});

test("an image that is too large for a message is encoded as JPEG, at the cost of one", {
  tags: ["MC10"],
}, async () => {
  const { renderer } = await sandboxServices({ registry: FULL.registry });
  const large = new Uint8Array(700_001);
  const own = await testService(
    {
      renderer: {
        ...renderer,
        render: async (job, options) => {
          const image = await renderer.render(job, options);
          return job.format === "jpg" ? image : { ...image, format: "png", bytes: large };
        },
      },
    },
    { profile: FULL },
  );
  const calls = await startSession(own);
  for (const input of [
    { preset: "true-color", item: ITEM, size: 256 },
    { preset: "true-color", bbox: BOX, datetime: JULY, size: 256 },
  ]) {
    const { result } = await calls.call("render", input);
    const block = result.content.find((each) => each.type === "image");
    expect(block?.mimeType).toBe("image/jpeg");
    expect(result.structuredContent.mediaType).toBe("image/jpeg");
    const { width, height } = await pixelsOf(new Response(Buffer.from(block?.data ?? "", "base64")));
    expect(Math.max(width, height)).toBe(256);
  }
});

describe("what cannot be drawn is a result that says why", () => {
  test.each([
    { input: { preset: "nothing", bbox: BOX }, code: "not-found" },
    { input: { bbox: BOX }, code: "invalid-body", pointer: "/preset" },
    { input: { preset: "ndvi" }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: BOX, item: ITEM }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", item: ITEM, datetime: JULY }, code: "invalid-body", pointer: "/datetime" },
    { input: { preset: "ndvi", item: "nothing" }, code: "not-found" },
    { input: { preset: "ndvi", item: ITEM, collection: "dem" }, code: "not-found" },
    { input: { preset: "ndvi", bbox: BOX, collection: "dem" }, code: "invalid-body", pointer: "/collection" },
    { input: { preset: "ndvi", bbox: BOX, collection: "nothing" }, code: "unknown-collection" },
    { input: { preset: "ndvi", bbox: BOX, datetime: "yesterday" }, code: "invalid-body", pointer: "/datetime" },
    { input: { preset: "ndvi", bbox: BOX, rescale: "p2,p98" }, code: "invalid-body", pointer: "/rescale" },
    ...["2,98", "p98,p2", "p2,p101", [0, 1, 2]].map((rescale) => ({
      input: { preset: "custom", collection: "sentinel-2-l2a", bands: ["nir"], bbox: BOX, rescale },
      code: "invalid-body",
      pointer: "/rescale",
    })),
    { input: { preset: "ndvi", bbox: BOX, size: 1025 }, code: "invalid-body", pointer: "/size" },
    { input: { preset: "ndvi", bbox: BOX, size: 63.5 }, code: "invalid-body", pointer: "/size" },
    { input: { preset: "ndvi", bbox: [13, 45, 14] }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [13, 45, 14, 46, 47] }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [13, 45, 13, 46] }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [13, 46, 14, 46] }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [180, 45, -180, 46] }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [10, 45, 9, 46] }, code: "zoom-out-of-range", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [13, 85, 14, 86] }, code: "invalid-body", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [-180, -85, 180, 85] }, code: "zoom-out-of-range", pointer: "/bbox" },
    { input: { preset: "ndvi", bbox: [5, 40, 20, 50] }, code: "zoom-out-of-range", pointer: "/bbox" },
  ])("$input: $code $pointer", { tags: ["MC11"] }, async ({ input, code, pointer }) => {
    const { result } = await session.call("render", input);
    expect(result).toMatchObject({ isError: true, structuredContent: { code }, _meta: { units: 0 } });
    const { errors = [] } = result.structuredContent as { errors?: { pointer: string }[] };
    if (pointer !== undefined) expect(errors.map((each) => each.pointer)).toContain(pointer);
  });
});
