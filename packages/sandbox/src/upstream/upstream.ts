import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readArchiveInfo } from "../archive/archive.ts";
import type { UpstreamItem } from "../items/upstream-item.ts";
import type { AssetStore } from "./asset-response.ts";
import { createStacHandler, type StacHandler } from "./handler.ts";

/** The address under which an archive is served. */
export interface UpstreamOptions {
  /** Root of the API in links and hrefs, without a slash at the end. */
  readonly baseUrl: string;
  /** Further items to list beside those of the archive. */
  readonly items?: Iterable<UpstreamItem>;
  /** Answers larger than this become 502. Default 6,291,556 bytes, the limit of the real one's host. */
  readonly maxResponseBytes?: number;
}

/** All items of an archive, asset hrefs relative to it (`assets/…`). */
export async function readArchiveItems(directory: string): Promise<UpstreamItem[]> {
  const info = await readArchiveInfo(directory);
  if (info === undefined) throw new Error(`Expected an archive of this version in ${directory}, found none.`);
  const files = await Promise.all(
    info.collections.map((id) => readFile(join(directory, "items", `${id}.ndjson`), "utf8")),
  );
  return files.flatMap((text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as UpstreamItem),
  );
}

/**
 * The archive as a STAC API in the manner of Earth Search v1, with its files below `/assets/`. The archive is read at the
 * first request.
 *
 * @example const handler = createUpstreamHandler(directory, { baseUrl: "http://127.0.0.1:8081/v1" });
 */
export function createUpstreamHandler(directory: string, options: UpstreamOptions): StacHandler {
  let handler: Promise<StacHandler> | undefined;
  const load = async (): Promise<StacHandler> => {
    const own = await readArchiveItems(directory);
    const collections = (await readArchiveInfo(directory))?.collections ?? [];
    return createStacHandler({
      baseUrl: options.baseUrl,
      items: [...own, ...(options.items ?? [])],
      collections: [...collections].sort(),
      assets: fileStore(directory),
      ...(options.maxResponseBytes === undefined ? {} : { maxResponseBytes: options.maxResponseBytes }),
    });
  };
  return async (request) => {
    handler ??= load();
    try {
      return await (await handler)(request);
    } catch (error) {
      handler = undefined;
      throw error;
    }
  };
}

function fileStore(directory: string): AssetStore {
  return {
    async stat(path) {
      try {
        const found = await stat(join(directory, path));
        return found.isFile()
          ? { size: found.size, etag: `"${found.size.toString(16)}-${found.mtimeMs.toString(16)}"` }
          : undefined;
      } catch {
        return undefined;
      }
    },
    async read(path, start, end) {
      const file = await open(join(directory, path));
      try {
        const bytes = new Uint8Array(end - start + 1);
        await file.read(bytes, 0, bytes.length, start);
        return bytes;
      } finally {
        await file.close();
      }
    },
  };
}
