import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it. `mkdir` with `recursive` never ends where the system says of a folder that is there that
 * it is not, as procfs does.
 *
 * @throws {Error} with the `code` of the system and the `path` that cannot be made.
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await makeIn(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    await makeFolder(parent);
    // made here or meanwhile by another caller, who is no reason to fail
    await makeIn(path);
  }
}

/** Makes a folder in one that is there. */
async function makeIn(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
