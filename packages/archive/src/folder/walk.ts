import type { Dir, Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { MAX_DEPTH, MAX_ENTRIES } from "../limits.ts";
import type { Refusals } from "../refusals.ts";

/** A regular file of the folder. */
export interface FolderFile {
  /** Relative to the folder, with `/` between folders. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
}

/** Files that can be part of an archive. */
const WANTED = /\.(tiff?|json|geojson|ndjson|jsonl|geojsonl)$/i;

/**
 * The files of a folder and of those below it that can be part of an archive, in any order. Links are not followed; pipes,
 * sockets and devices are never opened; names that begin with a dot are left out.
 */
export async function* walkFolder(
  directory: string,
  refusals: Refusals,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<FolderFile> {
  const waiting: { path: string; depth: number }[] = [{ path: "", depth: 0 }];
  let entries = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path: folder, depth } = next;
    const opened = await openFolder(join(directory, folder), folder, refusals);
    if (opened === undefined) continue;
    for await (const entry of opened) {
      signal?.throwIfAborted();
      if (entry.name.startsWith(".")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (++entries > MAX_ENTRIES) {
        refusals.add(
          path,
          `more than ${MAX_ENTRIES} files and folders: this one and those that follow are not looked at`,
        );
        return;
      }
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) waiting.push({ path, depth: depth + 1 });
        else refusals.add(path, `more than ${MAX_DEPTH} folders deep`);
        continue;
      }
      const file = await fileOf(directory, path, entry, refusals);
      if (file !== undefined) yield file;
    }
  }
}

async function openFolder(full: string, path: string, refusals: Refusals): Promise<Dir | undefined> {
  try {
    return await opendir(full, { bufferSize: 256 });
  } catch (error) {
    if (path === "") throw error;
    refusals.add(path, `a folder that cannot be read (${codeOf(error)})`);
    return undefined;
  }
}

async function fileOf(
  directory: string,
  path: string,
  entry: Dirent,
  refusals: Refusals,
): Promise<FolderFile | undefined> {
  if (entry.isSymbolicLink()) {
    refusals.add(path, "a link; links are not followed");
    return undefined;
  }
  if (!WANTED.test(entry.name)) return undefined;
  if (!entry.isFile()) {
    refusals.add(path, "no regular file");
    return undefined;
  }
  return statFile(directory, path, refusals);
}

/** A regular file, by its path; `undefined` for what is none. */
export async function statFile(directory: string, path: string, refusals: Refusals): Promise<FolderFile | undefined> {
  try {
    const { size, mtimeMs } = await lstat(join(directory, path));
    return { path, size, mtimeMs };
  } catch (error) {
    refusals.add(path, `it cannot be read (${codeOf(error)})`);
    return undefined;
  }
}

/** The system's code of an error, such as ENOENT. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
