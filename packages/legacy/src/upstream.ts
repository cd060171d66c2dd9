import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createStacHandler, type StacHandler, type UpstreamItem } from "@swath/sandbox";

/** The upstream STAC API as the legacy hosts use it: over HTTP, or made of the embedded archive. */
export interface LegacyUpstream {
  /** Its root, without a slash at the end; its documents link to addresses below it. */
  readonly root: string;
  readonly fetch: typeof globalThis.fetch;
  /** Folder of the files that it lists below `{root}/assets/`; absent where they are elsewhere. */
  readonly directory?: string;
}

/** An upstream at an address. */
export function httpUpstream(url: string): LegacyUpstream {
  return { root: url.replace(/\/+$/, ""), fetch: (...request) => globalThis.fetch(...request) };
}

/** A host without a server: requests stay inside the process. */
const ARCHIVE_ROOT = "http://archive.invalid/v1";

/** The embedded archive as an upstream, called in this process. Its items are read at the first request. */
export function archiveUpstream(directory: string): LegacyUpstream {
  let handler: Promise<StacHandler> | undefined;
  const load = async (): Promise<StacHandler> => {
    const items = await archiveItems(directory);
    return createStacHandler({ baseUrl: ARCHIVE_ROOT, items });
  };
  return {
    root: ARCHIVE_ROOT,
    directory,
    async fetch(input, init) {
      handler ??= load().catch((error: unknown) => {
        handler = undefined; // the next request looks again
        throw error;
      });
      return (await handler)(new Request(input, init));
    },
  };
}

/** Upstream collections of the legacy hosts; the archive has further ones. */
const COLLECTIONS: readonly string[] = ["sentinel-2-c1-l2a", "landsat-c2-l2"];

async function archiveItems(directory: string): Promise<UpstreamItem[]> {
  const folder = join(directory, "items");
  const names = (await readdir(folder)).filter((name) => COLLECTIONS.includes(name.replace(/\.ndjson$/, "")));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const item = JSON.parse(line) as Omit<UpstreamItem, "links"> & Partial<UpstreamItem>;
        return { ...item, links: item.links ?? [] };
      }),
  );
}
