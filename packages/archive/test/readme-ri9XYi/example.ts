import { openOwnArchive } from "../../src/index.ts";

export async function newest(folder: string, dataDir: string) {
  const archive = await openOwnArchive({ path: folder, dataDir, secret: "signs addresses of files" });
  const signal = AbortSignal.timeout(10_000);
  const collections = archive.collections.map(({ id }) => id);
  const { items } = await archive.catalog.search({ collections, sortby: [], limit: 1 }, { signal });
  archive.close();
  return { collections, item: items[0], refused: archive.first.refused };
}
// a folder fields/2024-05-01.tif: collections ["fields"], an item of 2024-05-01, nothing refused
