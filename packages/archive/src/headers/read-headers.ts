import { CogError, openCog } from "@swath/cog";
import { nodeCodecs } from "@swath/cog/node";
import { type FolderFiles, folderSource } from "@swath/engine/node/files";
import { CrsError } from "@swath/raster";
import type { FolderFile } from "../folder/walk.ts";
import { HEADERS_AT_ONCE } from "../limits.ts";
import { headerFacts } from "./header-facts.ts";
import type { IndexFile, KnownHeader } from "./index-file.ts";

/** Types of samples that collections can have. */
const SAMPLE_TYPES: ReadonlySet<string> = new Set(["uint8", "uint16", "int16", "float32"]);

/** Says when a file was changed. */
export function stampOf({ size, mtimeMs }: FolderFile): string {
  return `${size}-${mtimeMs}`;
}

/**
 * The headers of files, from the index where they have not changed, else from the files, some at once.
 *
 * @param take is called for each file, in any order.
 */
export async function readHeaders(
  files: AsyncIterable<FolderFile>,
  { folder, index, signal }: HeaderReading,
  take: (file: FolderFile, known: KnownHeader) => void,
): Promise<number> {
  let opened = 0;
  const running = new Set<Promise<void>>();
  for await (const file of files) {
    const known = index.header(file.path, stampOf(file));
    if (known !== undefined) {
      take(file, known);
      continue;
    }
    opened++;
    const task = readHeader(folder, file, signal).then((read) => {
      index.keepHeader(file.path, stampOf(file), read);
      take(file, read);
    });
    const counted: Promise<void> = task.finally(() => running.delete(counted));
    running.add(counted);
    if (running.size >= HEADERS_AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  return opened;
}

export interface HeaderReading {
  readonly folder: FolderFiles;
  readonly index: IndexFile;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the header of a file of a folder. */
export async function readHeader(
  folder: FolderFiles,
  { path }: FolderFile,
  signal?: AbortSignal,
): Promise<KnownHeader> {
  const source = folderSource(folder, path);
  try {
    const cog = await openCog(source, { codecs: nodeCodecs, signal });
    const problem = cog.georeferenceProblem;
    if (problem !== undefined) return { fault: `it has no usable georeference. ${problem}` };
    if (!SAMPLE_TYPES.has(cog.sampleType)) {
      return { fault: `expected samples of ${[...SAMPLE_TYPES].join(", ")}, got ${cog.sampleType}` };
    }
    return { header: headerFacts(cog) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CogError || error instanceof CrsError) return { fault: error.message.slice(0, 300) };
    throw error;
  } finally {
    await source.close?.();
  }
}
