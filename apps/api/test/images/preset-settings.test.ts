import { join } from "node:path";
import { createNeighbourhoodSearch, type Item } from "@swath/catalog";
import { BlockCache, openCog, readGrids } from "@swath/cog";
import { fileSource, nodeCodecs } from "@swath/cog/node";
import { findImage } from "@swath/engine/node/images";
import type { SceneRead } from "@swath/engine/node/jobs";
import { planPreview } from "@swath/engine/node/jobs";
import { type CollectionRegistry, createRegistry, defaultRegistry, keepTable } from "@swath/schema";
import { BUILT_IN_FILES, PresetFile } from "@swath/schema/files";
import sharp from "sharp";
import { expect, inject, test } from "vitest";
import { sandboxServices } from "../tools/harness.ts";

const { signal } = new AbortController();

/** The built-in collections with the settings of a preset changed. */
function registryWith(id: string, settings: Partial<PresetFile>): CollectionRegistry {
  const presets = defaultRegistry.presets.map(({ "svc:recipes": _, collections: __, ...preset }) =>
    PresetFile.parse(preset.id === id ? { ...preset, ...settings } : preset),
  );
  return createRegistry(BUILT_IN_FILES, presets);
}

const TILE = {
  where: { kind: "tile", tileMatrixSet: "WebMercatorQuad", z: 9, x: 275, y: 182 },
  when: { time: "2021-01-01/2026-12-31" },
  what: { preset: "ndvi" },
  into: { kind: "image", format: "png" },
} as const;

async function planned(
  settings: Partial<PresetFile>,
): Promise<{ items: readonly Item[]; scenes: readonly SceneRead[] }> {
  const services = await sandboxServices({ registry: registryWith("ndvi", settings) });
  const tileScenes = createNeighbourhoodSearch(services.catalog);
  const { plan, items } = await findImage({ ...services, tileScenes }, TILE, { signal });
  if (plan.job.kind !== "tile") throw new Error("Expected a tile.");
  return { items, scenes: plan.job.scenes };
}

test.each([
  ["mostRecent", (a: Item, b: Item) => (a.properties.datetime ?? "") >= (b.properties.datetime ?? "")],
  ["leastRecent", (a: Item, b: Item) => (a.properties.datetime ?? "") <= (b.properties.datetime ?? "")],
  ["leastCC", (a: Item, b: Item) => Number(a.properties["eo:cloud_cover"]) <= Number(b.properties["eo:cloud_cover"])],
] as const)("a preset's mosaickingOrder %s is the order of its scenes", async (mosaickingOrder, isInOrder) => {
  const { items, scenes } = await planned({ mosaickingOrder });
  expect(items.length).toBeGreaterThan(3);
  expect(items.every((item, i) => i === 0 || isInOrder(items[i - 1]!, item))).toBe(true);
  expect(scenes.map(({ id }) => id)).toEqual(items.map(({ id }) => id).slice(0, scenes.length));
});

test("a preset's maxCloudCoverage leaves cloudier scenes out", async () => {
  const all = (await planned({})).items;
  const few = (await planned({ maxCloudCoverage: 5 })).items;
  const clear = all.filter(({ properties }) => Number(properties["eo:cloud_cover"]) <= 5);
  expect(clear.length).toBeLessThan(all.length);
  expect(few.map(({ id }) => id)).toEqual(clear.map(({ id }) => id));
});

test("a preset's harmonize decides whether old scenes are moved to the newest offset", async () => {
  const shiftsOf = async (harmonize: "none" | "offset_removed"): Promise<number> => {
    const { scenes } = await planned({ harmonize });
    return scenes.flatMap(({ files }) => files).filter(({ conversion }) => conversion?.kind === "shift").length;
  };
  expect(await shiftsOf("offset_removed")).toBeGreaterThan(0);
  expect(await shiftsOf("none")).toBe(0);
});

test.each([
  { id: "sentinel-2-l2a", item: "S2A_T33TUL_20240706T095331_L2A", dilate_m: 0 },
  { id: "sentinel-2-l2a", item: "S2A_T33TUL_20240706T095331_L2A", dilate_m: 200 },
  { id: "landsat-ot-l2", item: "LC08_L2SP_190028_20260604_02_T1", dilate_m: 200 },
])("a preset's cloudMask makes $item transparent where its classes say so, $dilate_m m around", async (row) => {
  const directory = inject("sandbox");
  const { catalog, renderer } = await sandboxServices();
  const collection = defaultRegistry.resolve(row.id);
  const item = await catalog.item(row.id, row.item);
  const preset = defaultRegistry.resolvePreset("true-color");
  const recipe = defaultRegistry.recipeOf(preset.id, row.id);
  if (item === undefined || recipe === undefined || collection.mask === undefined) throw new Error("Expected a scene.");
  const exclude = ["cloud", "cloud_shadow", "cirrus"] as const;
  const imageOf = async (cloudMask?: object) => {
    const plan = planPreview(
      { preset: { ...preset, ...(cloudMask && { cloudMask }) } as never, collection, recipe },
      item,
      4096,
      "png",
    );
    const { bytes } = await renderer.render(plan!.job, { signal });
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return { alpha: Uint8Array.from({ length: info.width * info.height }, (_, i) => data[4 * i + 3]!), info };
  };
  const plain = await imageOf();
  const masked = await imageOf({ exclude, dilate_m: row.dilate_m });
  const at = (href: string) =>
    openCog(fileSource(join(directory, href.replace("archive:", ""))), { codecs: nodeCodecs });
  const mask = await at(item.assets[collection.mask.band]!.href);
  const grid = (await at(item.assets[recipe.assets[0] === "visual" ? "visual" : "SR_B4"]!.href)).grid;
  expect([masked.info.width, masked.info.height]).toEqual([grid.width, grid.height]);
  // the mask on its own pixels: dropped by its table, or within the radius of cloud or shadow
  const [own] = await readGrids([{ file: mask, bands: [0], nodata: null }], mask.grid, {
    level: "full",
    cache: new BlockCache({ maxBytes: 0 }),
  });
  const samples = own!.bands[0]!;
  const keep = keepTable(collection.mask, exclude);
  const fill = keepTable(collection.mask, []);
  const grows = keepTable(collection.mask, ["cloud", "cloud_shadow"]).map((kept, i) => (fill[i] === 0 ? 0 : 1 - kept));
  const isDilated = row.dilate_m > 0 && !collection.maskCapabilities.includes("cloud_adjacent");
  const { width, height } = mask.grid;
  const meters = Math.abs(mask.grid.transform[0]);
  const reach = isDilated ? Math.floor(row.dilate_m / meters) : 0;
  const kept = Uint8Array.from(samples, (value) => keep[value]!);
  for (let y = 0; isDilated && y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (grows[samples[y * width + x]!] !== 1) continue;
      for (let dy = -reach; dy <= reach; dy++) {
        for (let dx = -reach; dx <= reach; dx++) {
          const [px, py] = [x + dx, y + dy];
          if (px < 0 || py < 0 || px >= width || py >= height) continue;
          if ((dx * dx + dy * dy) * meters * meters <= row.dilate_m ** 2) kept[py * width + px] = 0;
        }
      }
    }
  }
  const ratio = grid.width / width;
  let [wrong, dropped] = [0, 0];
  for (let y = 0; y < grid.height; y++) {
    for (let x = 0; x < grid.width; x++) {
      const i = y * grid.width + x;
      const isKept = kept[Math.floor((y + 0.5) / ratio) * width + Math.floor((x + 0.5) / ratio)] === 1;
      if (!isKept && plain.alpha[i] === 255) dropped += 1;
      if ((masked.alpha[i] === 255) !== (isKept && plain.alpha[i] === 255)) wrong += 1;
    }
  }
  expect({ wrong, dropsSomething: dropped > 1000 }).toEqual({ wrong: 0, dropsSomething: true });
});
