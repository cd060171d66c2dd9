import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { createArchiveCatalog, createNeighbourhoodSearch, createVirtualCatalog } from "@swath/catalog";
import { createAngleReader, sceneDocuments } from "@swath/engine/files";
import { inlineRenderer } from "@swath/engine/node";
import { createSources, type SourceSettings } from "@swath/engine/node/files";
import { readArchiveItems } from "@swath/sandbox/node";
import type { CollectionRegistry } from "@swath/schema";
import { inject } from "vitest";
import type { Services } from "../../src/operations/services.ts";

/** Where a file of the synthetic archive is said to be, by its path there; `upstream` is the collection of its item. */
export type HrefOf = (path: string, upstream: string) => string;

/** Bytes of a file of the synthetic archive; undefined where there is none. */
export async function archiveFile(path: string): Promise<Uint8Array | undefined> {
  return readFile(join(inject("sandbox"), normalize(`/${path}`))).catch(() => undefined);
}

/** The synthetic archive's items, which say that their files are elsewhere. */
export async function movedItems(hrefOf: HrefOf): Promise<unknown[]> {
  const items = await readArchiveItems(inject("sandbox"));
  return items.map((item) => ({
    ...item,
    assets: Object.fromEntries(
      Object.entries(item.assets).map(([key, asset]) => {
        const isLocal = !URL.canParse(asset.href);
        return [key, isLocal ? { ...asset, href: hrefOf(asset.href, item.collection) } : asset];
      }),
    ),
  }));
}

/** The parts of a service over the synthetic archive, whose files are read from elsewhere. */
export async function movedServices(
  registry: CollectionRegistry,
  hrefOf: HrefOf,
  sources: Pick<SourceSettings, "s3"> & Partial<SourceSettings>,
): Promise<Partial<Services> & { readonly settings: SourceSettings }> {
  const items = await movedItems(hrefOf);
  const catalog = createVirtualCatalog({ catalog: createArchiveCatalog({ items, registry }), registry });
  const { storage, assetHosts: knownHosts } = registry;
  const settings: SourceSettings = { assetHosts: [], storage, knownHosts, ...sources };
  const sourceFor = createSources(settings);
  return {
    settings,
    registry,
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    renderer: inlineRenderer({ blockCacheBytes: 16 << 20, sources: settings }),
    sceneDocuments: sceneDocuments(sourceFor),
    angles: createAngleReader(sourceFor),
  };
}
