import { copyFile, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { OwnArchive } from "@swath/archive";
import { createMergedCatalog, createNeighbourhoodSearch, createVirtualCatalog } from "@swath/catalog";
import { createAngleReader } from "@swath/engine/files";
import { inlineRenderer } from "@swath/engine/node";
import { createSources } from "@swath/engine/node/files";
import { type CollectionFile, parseCollectionFile } from "@swath/schema/files";
import { openRegistry } from "../../src/open/collection-files.ts";
import { openArchiveOf } from "../../src/open/own-archive.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

const COLLECTIONS = join(import.meta.dirname, "../../../../packages/schema/collections");
export const S2_SCENE = "S2A_29RKH_20200219_0_L2A";
const LANDSAT_SCENE = "LC08_L2SP_001062_20201031_20201106_02_T2";

/** Files of the two scenes, below the folder of fixtures: 20. */
const FILES: readonly string[] = [
  ..."B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B11 B12 SCL AOT TCI"
    .split(" ")
    .map((band) => `cog/sentinel-2-l2a/${S2_SCENE}/${band}.tif`),
  ..."SR_B2 SR_B3 SR_B4 SR_B5 QA_PIXEL".split(" ").map((band) => {
    return `cog/landsat-c2-l2/${LANDSAT_SCENE}/${LANDSAT_SCENE}_${band}.TIF`;
  }),
];

/** A built-in collection under another id, whose files are in a folder. */
async function ownFile(id: string, ownId: string, upstream: Partial<CollectionFile["upstream"]>): Promise<string> {
  const file = parseCollectionFile(await readFile(join(COLLECTIONS, `${id}.json`), "utf8"), id);
  const { aliases: _, memberOf: _members, ...facts } = file;
  const { assets } = file.upstream;
  return JSON.stringify({
    ...facts,
    id: ownId,
    upstream: { name: "archive", collection: ownId, assets, ...upstream },
  });
}

/** A folder of 20 files of two scenes, and a collection file for each. */
export async function folderOfScenes(fixtures: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swath-own-"));
  for (const path of FILES) {
    const target = join(folder, basename(dirname(path)), basename(path));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(fixtures, path), target);
  }
  const sentinel = JSON.parse(
    await ownFile("sentinel-2-l2a", "our-sentinel-2", {
      files: [
        {
          path: "{satellite}_{tile}_{date}_*/{band}.tif",
          id: "{satellite}_{tile}_{date}",
          properties: { platform: "sentinel-2a", "s2:mgrs_tile": "{tile}", "s2:processing_baseline": "02.14" },
        },
      ],
    }),
  );
  const { visual: _, ...assets } = sentinel.upstream.assets;
  sentinel.upstream.assets = { ...assets, TCI: "visual" };
  sentinel.recipes["true-color"].assets = ["TCI"];
  await writeFile(join(folder, "sentinel.json"), JSON.stringify(sentinel));
  const landsat = await ownFile("landsat-ot-l2", "our-landsat", {
    files: [{ path: "**/LC08_L2SP_{tile}_{date}_*_{band}.TIF", properties: { platform: "landsat-8" } }],
  });
  await writeFile(join(folder, "landsat.json"), landsat);
  return folder;
}

export interface OwnService {
  readonly archive: OwnArchive;
  readonly service: TestService;
}

/** Opens a folder as the service does; the caller closes it. */
export async function openFolder(directory: string, dataDir: string, upstreams = {}): Promise<OwnArchive> {
  const archive = await openArchiveOf({
    archive: { path: directory, pollSeconds: 0 },
    dataDir,
    upstreams,
    profile: "full",
  });
  if (archive === undefined) throw new Error("Expected an archive.");
  return archive;
}

/** A service over a folder alone. */
export async function serviceOf(directory: string, dataDir: string): Promise<OwnService> {
  const archive = await openFolder(directory, dataDir);
  const environment = { archive: { path: directory, pollSeconds: 0 }, upstreams: {}, profile: "full" as const };
  const registry = openRegistry(environment, archive.collections);
  const merged = createMergedCatalog({ registry, catalogs: { archive: archive.catalog } });
  const catalog = createVirtualCatalog({ catalog: merged, registry });
  const sources = { folder: archive.folder, assetHosts: [], s3: { region: "us-west-2" } };
  const service = await testService(
    {
      registry,
      catalog,
      tileScenes: createNeighbourhoodSearch(catalog),
      renderer: inlineRenderer({ blockCacheBytes: 64 * 1_048_576, sources }),
      angles: createAngleReader(createSources(sources)),
    },
    { profile: { ...FULL, registry } },
  );
  return { archive, service };
}
