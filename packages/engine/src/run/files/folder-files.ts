import { createHmac, timingSafeEqual } from "node:crypto";
import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { CogError, type Source } from "@swath/cog";
import { fileSource } from "@swath/cog/node";

/** A folder whose files the service may read. */
export interface FolderFiles {
  /** Its real path. */
  readonly directory: string;
  /** Signs addresses, so that nobody else can name a file of the folder: an upstream's item for instance. */
  readonly secret: string;
}

/** Addresses of files of the folder: `archive:~{signature}/{path}`. */
const ADDRESS = /^archive:~([\w-]{22})\/(.+)$/;

/** @param path relative to the folder, with `/` between folders. */
export function folderHref({ secret }: FolderFiles, path: string): string {
  return `archive:~${signature(secret, path)}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The path that an address names; `undefined` for addresses that this service did not write. */
export function folderPath({ secret }: FolderFiles, href: string): string | undefined {
  const [, signed, encoded] = ADDRESS.exec(href) ?? [];
  if (signed === undefined || encoded === undefined) return undefined;
  try {
    const path = decodeURIComponent(encoded);
    const isOurs = timingSafeEqual(Buffer.from(signed), Buffer.from(signature(secret, path)));
    return isOurs ? path : undefined;
  } catch {
    return undefined;
  }
}

function signature(secret: string, path: string): string {
  return createHmac("sha256", secret).update(path).digest("base64url").slice(0, 22);
}

/**
 * A file of the folder. Before each read it is looked at: a link, a pipe or a device that took its place is never opened.
 *
 * @param path relative to the folder.
 */
export function folderSource({ directory }: FolderFiles, path: string): Source {
  const full = join(directory, path);
  const source = fileSource(full);
  // messages go to clients, who need not know where the folder is
  const shown = (error: unknown): unknown =>
    error instanceof CogError
      ? new CogError(error.code, error.message.replaceAll(full, path), { cause: error })
      : error;
  return {
    key: `archive:${path}`,
    get size() {
      return source.size;
    },
    get version() {
      return source.version;
    },
    async read(offset, length, options) {
      await checkFile(directory, path);
      return source.read(offset, length, options).catch((error: unknown) => {
        throw shown(error);
      });
    },
    close: async () => source.close?.(),
  };
}

/**
 * Checks that a path is a regular file in the folder, not reached by a link.
 *
 * @throws {CogError} `not-found`
 */
export async function checkFile(directory: string, path: string): Promise<void> {
  const full = join(directory, path);
  const [real, stats] = await Promise.all([realpath(full), lstat(full)]).catch((error: unknown) => {
    throw new CogError("not-found", `${path}: no such file in the archive.`, { cause: error });
  });
  if (real !== full) throw new CogError("not-found", `${path}: links are not followed.`);
  if (!stats.isFile()) throw new CogError("not-found", `${path}: no regular file.`);
}
