import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

/** A backup that cannot be made or restored; `message` is one line. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

const OWNER_ALONE = 0o600;

/** Waits until a file or a folder is on the disk. */
export async function synchronize(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync();
  await handle.close();
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Makes a backup that is whole or not there: a gzip file, whose checksum tells damage, that its owner alone may read.
 *
 * @param make writes the copy of the state into a folder that is removed afterwards, and gives the path of the copy.
 * @throws {BackupError} where the file is there already, or cannot be written.
 */
export async function writeBackup(file: string, make: (folder: string) => Promise<string>): Promise<void> {
  if (await isThere(file)) throw new BackupError(`${file} is there already: name another file.`);
  const path = resolve(file);
  const folder = await mkdtemp(`${path}.part-`).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${file} cannot be written (${error.code}).`, { cause: error });
  });
  try {
    const copy = await make(folder);
    const packed = join(folder, "packed");
    const output = createWriteStream(packed, { flags: "wx", mode: OWNER_ALONE });
    await pipeline(createReadStream(copy), createGzip(), output);
    await synchronize(packed);
    await rename(packed, path);
    await synchronize(dirname(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Unpacks a backup, all of it, with its checksum compared.
 *
 * @throws {BackupError} for a file that is absent, cut off, damaged or no backup.
 */
export async function readBackup(file: string, into: string): Promise<void> {
  const output = createWriteStream(into, { flags: "wx", mode: OWNER_ALONE });
  try {
    await pipeline(createReadStream(file), createGunzip(), output);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw new BackupError(`${file} cannot be read (${code}).`, { cause: error });
    throw new BackupError(`${file} is cut off, damaged or no backup (${message}). Nothing was changed.`, {
      cause: error,
    });
  }
}
