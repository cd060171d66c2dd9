import { type Cog, type OpenOptions, openCog } from "../cog.ts";
import type { Source } from "../sources/source.ts";
import { FileCache, type FileCacheOptions } from "./file-cache.ts";

/** Limits of a cache of open GeoTIFFs. */
export type CogCacheOptions = FileCacheOptions;

/** Open GeoTIFFs by the key of their source, under a byte budget; openings in flight are shared, failures forgotten. */
export class CogCache extends FileCache<Cog> {
  /**
   * The open file of `source.key`, opened when it is not held, or when a block of it was damaged: its header may be. The first source of
   * a key is the one that is kept.
   */
  open(source: Source, options: OpenOptions = {}): Promise<Cog> {
    return openCog(source, { ...options, cache: this });
  }
}
