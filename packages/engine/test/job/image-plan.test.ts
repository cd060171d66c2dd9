import type { Item } from "@swath/catalog";
import { tileGrid } from "@swath/raster";
import type { Recipe } from "@swath/schema/presets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attributionOf,
  creditLines,
  MAX_TILE_SCENES,
  planImage,
  planMosaic,
  planPreview,
  styleOf,
} from "../../src/job/image-plan.ts";
import { hasFilesOf } from "../../src/read/recipe-bands.ts";
import { RENDER_VERSION } from "../../src/run/job.ts";
import { itemOf } from "../items/items.ts";
import { COLORADO, fixtures, recordedItems } from "../items/recorded.ts";
import { matchOf, registry } from "../what/registry.ts";

const S2 = matchOf("sentinel-2-l2a").collection;
const LANDSAT = matchOf("landsat-ot-l2").collection;
const OPTICAL = matchOf("optical-sr").collection;
const recipeOf = (preset: string, collection = S2) => ({
  preset: registry.resolvePreset(preset),
  collection,
  recipe: registry.recipeOf(preset, collection.id)!,
});
const GRID = tileGrid("WebMercatorQuad", 11, 426, 775);
const items = (count: number): Item[] => Array.from({ length: count }, (_, i) => itemOf(S2, { id: `S2A_${i}` }));
const mosaic = (all: readonly Item[], more = false, preset = "ndvi") =>
  planMosaic(recipeOf(preset), { items: all, more }, GRID, "png");

describe("a mosaic", () => {
  test("reads its scenes in their order, on the grid of the tile", () => {
    const { job, missing } = mosaic(items(3));
    expect(job).toMatchObject({ kind: "tile", more: false, format: "png" });
    expect(job.grid).toEqual({ crs: "EPSG:3857", transform: GRID.transform, width: 256, height: 256 });
    expect(job.scenes.map(({ id }) => id)).toEqual(["S2A_0", "S2A_1", "S2A_2"]);
    expect(missing).toEqual([]);
  });

  test.each([
    [49, false, 49, false],
    [50, false, 50, false],
    [51, false, 50, true],
    [120, false, 50, true],
    [3, true, 3, true],
  ])(
    "of %d scenes, and more where that is %s, reads %d and says that there are more: %s",
    (count, more, read, says) => {
      const { job } = mosaic(items(count), more);
      expect([job.scenes.length, job.more]).toEqual([read, says]);
      expect(MAX_TILE_SCENES).toBe(50);
    },
  );

  test("names scenes that lack a file of the recipe, which count for nothing", () => {
    const bare = itemOf(S2, { id: "bare", without: ["B08"] });
    const { job, missing } = mosaic([...items(49), bare, ...items(50).slice(49)]);
    expect(missing).toEqual(["bare"]);
    expect([job.scenes.length, job.more]).toEqual([50, false]);
    expect(mosaic([bare]).job.scenes).toEqual([]);
    // true colour does not need it
    expect(mosaic([bare], false, "true-color").missing).toEqual(itemOf(S2).assets.visual === undefined ? ["bare"] : []);
  });
});

describe("keys and ETags", () => {
  test("are the same for the same job, whatever the order of its members, and others for another one", () => {
    const { job, key, etag } = mosaic(items(3));
    const turned = Object.fromEntries(Object.entries(structuredClone(job)).toReversed()) as typeof job;
    expect(planImage(turned, [])).toMatchObject({ key, etag });
    const others = [
      planImage({ ...job, scenes: job.scenes.toReversed() }, []),
      planImage({ ...job, format: "webp" }, []),
      planImage({ ...job, more: true }, []),
      planImage({ ...job, grid: { ...job.grid, width: 255 } }, []),
      planImage({ ...job, style: { ...job.style, colormap: "viridis" } }, []),
    ];
    expect(new Set([key, ...others.map((each) => each.key)]).size).toBe(6);
    expect(new Set([etag, ...others.map((each) => each.etag)]).size).toBe(6);
  });

  test("an ETag is a strong one, and has the version of the renderer", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (id, maxSize) => {
        const scene = { ...mosaic(items(1)).job.scenes[0]!, id };
        const { etag } = planImage({ kind: "preview", scene, maxSize, style: {}, format: "png" }, []);
        // RFC 9110, section 8.8.3: visible characters between quotes
        expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
        expect(etag.startsWith(`"r${RENDER_VERSION}-`)).toBe(true);
      }),
    );
  });

  test("scenes that are missing do not change the image", () => {
    const { job, etag } = mosaic(items(2));
    expect(planImage(job, ["gone"])).toMatchObject({ etag, missing: ["gone"] });
  });
});

test("a preview is of one scene on its own grid; of one that lacks a file there is none", () => {
  const plan = planPreview(recipeOf("ndvi"), itemOf(S2, { id: "a" }), 512, "webp");
  expect(plan?.job).toMatchObject({ kind: "preview", maxSize: 512, format: "webp", scene: { id: "a" } });
  expect(planPreview(recipeOf("ndvi"), itemOf(S2, { without: ["B04"] }), 512, "webp")).toBeUndefined();
});

describe("a recipe with alternatives", () => {
  const radar = recipeOf("vv-vh", matchOf("sentinel-1-rtc").collection);
  const [land, ice, vertical, horizontal, crossed] = [
    ["HH", "HV"],
    ["VV", "VH"],
    ["VH", "HH", "HV"],
    ["VV", "VH", "HV"],
    ["VV", "HH", "HV"],
  ].map((without, i) => itemOf(radar.collection, { id: `S1A_${i}`, without })) as [Item, Item, Item, Item, Item];
  const all = [land, ice, vertical, horizontal, crossed];
  const hrefs = ({ files }: { readonly files: readonly { readonly href: string }[] }) =>
    files.map(({ href }) => href.slice("archive:".length));

  test("reads of each item the assets that it has, and leaves out one that has none of the lists", () => {
    const { job, missing } = planMosaic(radar, { items: all, more: false }, GRID, "png");
    expect(job.scenes.map(hrefs)).toEqual([
      ["VV.tif", "VH.tif"],
      ["HH.tif", "HV.tif"],
      ["VV.tif", "VV.tif"],
      ["HH.tif", "HH.tif"],
    ]);
    expect(missing).toEqual(["S1A_4"]);
    expect(job.style.variables).toEqual(["b1", "b2"]);
  });

  test("previews an item by what it has", () => {
    expect(hrefs(planPreview(radar, ice, 512, "png")!.job.scene)).toEqual(["HH.tif", "HV.tif"]);
    expect(planPreview(radar, crossed, 512, "png")).toBeUndefined();
    expect(all.map((item) => hasFilesOf(item, radar.collection, radar.recipe))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  test("multiplies the one band of an item so that its image is grey, of the same sample type as others", () => {
    const [, , { files, output } = { files: [], output: undefined }] = planMosaic(
      radar,
      { items: all, more: false },
      GRID,
      "png",
    ).job.scenes;
    expect(files.map(({ conversion }) => conversion)).toMatchObject([
      { kind: "physical", scale: 1, offset: 0 },
      { kind: "physical", scale: 0.25, offset: 0 },
    ]);
    expect(output?.sampleType).toBe("float32");
    // sqrt(b1), sqrt(b2) * 2 and sqrt(b1)
    expect(2 * Math.sqrt(0.25 * 0.09)).toBe(Math.sqrt(0.09));
  });
});

describe("styles", () => {
  test("of the recipes name their bands in the order of their assets", () => {
    const { expression, variables, rescale, colormap } = styleOf(recipeOf("ndvi").recipe);
    expect(variables).toEqual(["b1", "b2"]);
    expect(expression).toMatch(/b1.*b2/);
    expect([rescale?.length, typeof colormap]).toEqual([1, "string"]);
  });

  test.each<[string, Recipe, object]>([
    ["an image as it is", { assets: ["visual"] } as unknown as Recipe, {}],
    ["bands within limits", { assets: ["B04"], rescale: [0, 3000] } as unknown as Recipe, { rescale: [[0, 3000]] }],
    [
      "a relief",
      { assets: ["data"], hillshade: { azimuth: 315, altitude: 45 } } as unknown as Recipe,
      { hillshade: { azimuth: 315, altitude: 45 } },
    ],
  ])("%s has no more than its recipe says", (_, recipe, style) => {
    expect(styleOf(recipe)).toEqual(style);
  });
});

describe("credit lines", () => {
  const dated = (collection: typeof S2, ...days: string[]) =>
    days.map((day) =>
      itemOf(collection, { properties: { datetime: `${day}T10:00:00Z`, "svc:source_collection": collection.id } }),
    );

  /** As the licences of Copernicus and of USGS want it. */
  test("have the years of the scenes", () => {
    expect(attributionOf(S2, dated(S2, "2024-05-01", "2021-05-01", "2024-06-01"))).toBe(
      "Contains modified Copernicus Sentinel data 2021, 2024",
    );
    expect(attributionOf(S2, dated(S2, "2022-05-01", "2021-05-01", "2020-06-01"))).toMatch(/ 2020-2022$/);
    expect(attributionOf(LANDSAT, dated(LANDSAT, "2023-10-08"))).toBe(
      "Landsat imagery courtesy of the U.S. Geological Survey, 2023",
    );
  });

  test("without a scene have no year; of a virtual collection there is none then", () => {
    expect(attributionOf(S2, [])).toBe("Contains modified Copernicus Sentinel data");
    expect(attributionOf(OPTICAL, [])).toBe("");
  });

  test("of a virtual collection are those of the members that the scenes are of, in the order of the members", () => {
    const both = [...dated(LANDSAT, "2023-10-08"), ...dated(S2, "2024-05-01")];
    expect(attributionOf(OPTICAL, both).split("; ")).toEqual([
      expect.stringContaining("Copernicus"),
      expect.stringContaining("Geological Survey"),
    ]);
    expect(attributionOf(OPTICAL, dated(LANDSAT, "2023-10-08"))).not.toContain("Copernicus");
  });

  test("that several collections share come once, with the years of all", () => {
    const tm = matchOf("landsat-tm-l2").collection;
    expect(
      creditLines([
        [LANDSAT, dated(LANDSAT, "2023-10-08")],
        [tm, dated(tm, "1999-01-01")],
      ]),
    ).toEqual(["Landsat imagery courtesy of the U.S. Geological Survey, 1999, 2023"]);
  });

  test.skipIf(fixtures === undefined)("of recorded scenes name 2024", () => {
    expect(attributionOf(S2, recordedItems(COLORADO))).toMatch(/Copernicus Sentinel data 2024$/);
  });
});
