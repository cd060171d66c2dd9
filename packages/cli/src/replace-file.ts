import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Puts a file under its name when all of it is there: readers see the one before or the new one. Where that fails, the one
 * before stays and nothing else remains; a process that is killed leaves a file whose name begins with a dot beside it.
 *
 * @param write writes a file of the name that it is given
 * @throws what `write` throws, and what the system says.
 */
export async function replaceFile(path: string, write: (part: string) => Promise<unknown>): Promise<void> {
  const part = join(dirname(path), `.${randomBytes(8).toString("hex")}`);
  try {
    await write(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
