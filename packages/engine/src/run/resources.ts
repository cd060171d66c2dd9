import { BlockCache, FileCache, type RasterFile } from "@swath/cog";
import { attachSharedBlocks, type SharedBlocks } from "@swath/cog/threads";
import { SamplePool } from "@swath/raster/kernels";
import { openFile } from "./files/open-file.ts";
import { createSources, type SourceFor, type SourceSettings } from "./files/sources.ts";
import type { FileAddress } from "./scene/scene-read.ts";

/** Settings of a thread that renders. */
export interface RenderSettings {
  readonly sources: SourceSettings;
  /** Bytes of decoded blocks kept. */
  readonly blockCacheBytes: number;
  /** Decoded blocks that threads share, and the number of this thread among them. Default: a cache of its own. */
  readonly shared?: { readonly blocks: SharedBlocks; readonly thread: number };
}

/** Bytes of memory kept for the next images and blocks. */
const POOL_BYTES = 16 * 1_048_576;
/** Bytes of file headers kept; one has a few kilobytes. */
const HEADER_CACHE_BYTES = 64 * 1_048_576;

/** The resources for reading scenes, one set per thread. */
export interface RenderResources {
  /** @throws {CogError} */
  open(file: FileAddress, signal: AbortSignal | undefined): Promise<RasterFile>;
  readonly blocks: BlockCache;
  /** Memory of images and blocks being made. */
  readonly pool: SamplePool;
}

/** Opens the caches and sources of files that one thread shares among its jobs. */
export function createResources(
  { sources, blockCacheBytes, shared }: RenderSettings,
  sourceFor: SourceFor = createSources(sources),
): RenderResources {
  const headers = new FileCache({ maxBytes: HEADER_CACHE_BYTES });
  return {
    open(file, signal) {
      const source = sourceFor(file.href);
      return headers.share(source.key, (shared) => openFile(source, file, shared), signal);
    },
    blocks:
      shared === undefined
        ? new BlockCache({ maxBytes: blockCacheBytes })
        : attachSharedBlocks(shared.blocks, shared.thread),
    pool: new SamplePool(POOL_BYTES),
  };
}
