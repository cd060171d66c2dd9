import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/tools/characters.ts";
import { legacyService } from "./legacy-service.ts";

const S2 = "sentinel-2-c1-l2a";
const ITEM = "S2B_T33TUL_20240704T100211_L2A";
const service = await legacyService();
const TILE = `/legacy/tiles/collections/${S2}/items/${ITEM}/tiles/WebMercatorQuad`;

/** Whatever a client sends is the client's: an answer below 500, in JSON unless it is a image. */
async function isAnswered(response: Response): Promise<void> {
  expect(response.status).toBeLessThan(500);
  if (response.status < 400) return;
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(await response.json()).toBeTypeOf("object");
}

const odd = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constantFrom(
    "",
    "..",
    "%",
    "%2e%2e%2f",
    "\0",
    "1e999",
    "-1",
    "NaN",
    "null",
    "b1",
    "b1/b2",
    "(((",
    "'",
    "<script>",
  ),
);

test("no query of a tile is a fault of the service", { tags: ["Y30"] }, async () => {
  const names = [
    "assets",
    "expression",
    "rescale",
    "colormap_name",
    "nodata",
    "resampling",
    "asset_bidx",
    "ids",
    "limit",
  ];
  const parameter = fc.tuple(
    fc.constantFrom(...names),
    fc.oneof(odd, fc.constantFrom("red", "visual|1", "0,1", "nearest")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parameter, { maxLength: 6 }), fc.boolean(), async (parameters, isMosaic) => {
      const query = new URLSearchParams([["assets", "red"], ...parameters]);
      const path = isMosaic ? TILE.replace(`/items/${ITEM}`, "") : TILE;
      await isAnswered(await service.get(`${path}/14/8810/5840.png?${query}`));
    }),
    { numRuns: 150 },
  );
});

test("no path below the mounts is a fault of the service", { tags: ["Y30"] }, async () => {
  const segment = fc.oneof(
    odd,
    fc.constantFrom("collections", S2, "items", ITEM, "tiles", "1", "2.png", "@2x", "jobs", "assets"),
  );
  // two dots alone lead out of the mount before anything is sent
  const below = segment.filter((each) => each !== ".." && each !== "%2e%2e");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("stac", "tiles"), fc.array(below, { maxLength: 8 }), async (host, segments) => {
      const path = segments.map((each) => encodeURIComponent(each.replace(/[\uD800-\uDFFF]/g, ""))).join("/");
      await isAnswered(await service.get(`/legacy/${host}/${path}`));
    }),
    { numRuns: 300 },
  );
});

test("no body of a download is a fault of the service", { tags: ["Y30"] }, async () => {
  const good = { collection: S2, item: ITEM, bbox: [13.2, 45.45, 13.21, 45.46], bands: ["red"], resolution: 100 };
  const members = [
    ...Object.keys(good),
    "items",
    "datetime",
    "crs",
    "size",
    "units",
    "harmonize",
    "clamp",
    "output",
    "preview",
  ];
  const value = fc.oneof(
    odd,
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("EPSG:4326", "EPSG:3031", "2024-07-01/..", [1e9, -1e9, 0, 1], { width: 64 }, 1e-9, [ITEM]),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...members), value), { maxLength: 3 }), async (changes) => {
      const body = { ...good, ...Object.fromEntries(changes) };
      await isAnswered(await service.post("/legacy/tiles/downloads", body));
    }),
    { numRuns: 200 },
  );
});

test("no search is a fault of the service", { tags: ["Y30"] }, async () => {
  const members = ["collections", "ids", "bbox", "datetime", "query", "sortby", "fields", "limit", "filter", "next"];
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...members), fc.jsonValue({ maxDepth: 2 })), async (body) => {
      const response = await service.post("/legacy/stac/search", body);
      // the upstream has faults of its own, which are passed on
      if (response.status !== 502) await isAnswered(response);
    }),
    { numRuns: 150 },
  );
});
