import { randomBytes } from "node:crypto";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError } from "./environment.ts";

/** Folders of the data directory that are written to where they exist. */
const FOLDERS: readonly string[] = ["results", "sandbox"];
const STATE = "state.sqlite";

/**
 * Makes the data directory, and tries to write to what is in it, so that a folder that cannot be used stops the start and
 * not the first request.
 *
 * @throws {EnvironmentError} one line that names the variable and the folder.
 */
export async function checkDataDirectory(dataDir: string): Promise<void> {
  const attempt = async (path: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      throw new EnvironmentError(
        `SWATH_DATA_DIR="${dataDir}": Expected a folder that the service may write to, but ${path} is none (${code})`,
        { cause: error },
      );
    }
  };
  await attempt(dataDir, () => mkdir(dataDir, { recursive: true }));
  await attempt(dataDir, () => writeProbe(dataDir));
  for (const name of FOLDERS) {
    const folder = join(dataDir, name);
    if (await exists(folder)) await attempt(folder, () => writeProbe(folder));
  }
  const state = join(dataDir, STATE);
  if (await exists(state)) await attempt(state, async () => (await open(state, "r+")).close());
}

async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, `.probe-${randomBytes(8).toString("hex")}`);
  await (await open(path, "wx")).close();
  await rm(path, { force: true });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}
