import { type Cog, FileCache, levelFor, openCog, readWindow } from "@swath/cog";
import { nodeCodecs } from "@swath/cog/node";
import { createSources } from "@swath/engine/node/files";
import type { SceneRead } from "@swath/engine/node/jobs";
import { displayScene } from "@swath/engine/node/jobs";
import { applyAffine, evaluateExpression, parseExpression, type Raster, resolveCrs, transformer } from "@swath/raster";
import { createTruth, responseOfMsi, sensorReflectance, TRUTH_CLASSES } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { defaultRegistry } from "@swath/schema";
import { expect, inject, test } from "vitest";
import { sandboxServices } from "../tools/harness.ts";

/** Step in each direction between the pixels that are compared: some 10,000 per scene. */
const STRIDE = 7;
const CLEAR = 0.001;
const TOLERANCE = 0.005;

test.each([
  { kind: "Sentinel-2 below baseline 04.00", collection: "sentinel-2-l2a", ids: ["S2A_T33TUL_20210705T100211_L2A"] },
  { kind: "Sentinel-2 from baseline 04.00 on", collection: "sentinel-2-l2a", ids: ["S2B_T33TUL_20240704T100211_L2A"] },
  {
    kind: "Landsat",
    collection: "landsat-ot-l2",
    ids: ["LC08_L2SP_191028_20210713_02_T1", "LC08_L2SP_191028_20240705_02_T1"],
  },
] as const)("NDVI of $kind agrees with the truth in every class", { tags: ["R4"] }, async ({ collection: id, ids }) => {
  const directory = inject("sandbox");
  const { catalog } = await sandboxServices();
  const truth = createTruth(await readArchiveInfo(directory));
  const sourceFor = createSources({ archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } });
  const headers = new FileCache<Cog>({ maxBytes: 1_000_000 });
  const collection = defaultRegistry.resolve(id);
  const preset = defaultRegistry.resolvePreset("ndvi");
  const recipe = defaultRegistry.recipeOf(preset.id, id);
  if (recipe?.expression === undefined) throw new Error("The preset has no expression.");
  const worst = new Map<string, number>();
  for (const itemId of ids) {
    const item = await catalog.item(id, itemId);
    const scene: SceneRead | undefined = item && displayScene(item, collection, recipe, preset);
    if (item === undefined || scene === undefined) throw new Error(`The archive lacks ${itemId}.`);
    const response = id === "sentinel-2-l2a" ? responseOfMsi(String(item.properties.platform)) : "oli";
    const rasters: Raster[] = await Promise.all(
      scene.files.map(async (file) => {
        const cog = await openCog(sourceFor(file.href), { cache: headers, codecs: nodeCodecs });
        expect(levelFor(cog, cog.grid, "display")).toBe(0);
        const { width, height } = cog.grid;
        return readWindow(cog, 0, { x: 0, y: 0, width, height }, { bands: [0] });
      }),
    );
    const [nir, red] = rasters;
    if (nir === undefined || red === undefined) throw new Error("Expected two bands.");
    expect(red.grid).toEqual(nir.grid);
    const valid = nir.valid.map((value, i) => value & (red.valid[i] ?? 0));
    const shifts = scene.files.map(({ conversion }) => (conversion?.kind === "shift" ? conversion.shift : 0));
    const bands = rasters.map(({ bands: [band] }, i) => Float32Array.from(band ?? [], (dn) => dn + (shifts[i] ?? 0)));
    const ndvi = evaluateExpression(parseExpression(recipe.expression, ["b1", "b2"]), bands, valid);
    const toDegrees = transformer(nir.grid.crs, resolveCrs("EPSG:4326"));
    for (let row = 3; row < nir.grid.height; row += STRIDE) {
      for (let col = 3; col < nir.grid.width; col += STRIDE) {
        const i = row * nir.grid.width + col;
        if (ndvi.valid[i] === 0) continue;
        const [lon, lat] = toDegrees(...applyAffine(nir.grid.transform, col + 0.5, row + 0.5));
        const there = truth(lon, lat, String(item.properties.datetime));
        if (there.cloud > CLEAR || there.shadow > CLEAR) continue;
        const { nir: nirThere, red: redThere } = sensorReflectance(there, response);
        const expected = (nirThere - redThere) / (nirThere + redThere);
        const difference = Math.abs((ndvi.values[i] ?? Number.NaN) - expected);
        worst.set(there.class, Math.max(worst.get(there.class) ?? 0, difference));
      }
    }
  }
  for (const [name, difference] of worst)
    expect([name, difference <= TOLERANCE, difference]).toEqual([name, true, difference]);
  expect([...worst.keys()].every((name) => (TRUTH_CLASSES as readonly string[]).includes(name))).toBe(true);
  expect(worst.size).toBeGreaterThanOrEqual(5);
});
