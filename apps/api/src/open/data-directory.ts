import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, openResults } from "@swath/store/node";
import { finishRestore } from "./backup/finish-restore.ts";
import { type Environment, EnvironmentError } from "./environment/environment.ts";

/** Folders of the data directory that are written to where they exist. */
const FOLDERS: readonly string[] = ["results", "sandbox"];
const STATE = "state.sqlite";

/**
 * Makes the data directory, and tries to write to what is in it, so that a folder that cannot be used stops the start and
 * not the first request. A restore that was cut off is finished.
 *
 * @throws {EnvironmentError} one line that names the variable and the folder.
 */
export async function checkDataDirectory(dataDir: string): Promise<void> {
  const attempt = (path: string, work: () => Promise<unknown>) => attemptFor("SWATH_DATA_DIR", dataDir, path, work);
  await attempt(dataDir, () => makeFolder(dataDir));
  await attempt(dataDir, () => writeProbe(dataDir));
  for (const name of FOLDERS) {
    const folder = join(dataDir, name);
    if (await exists(folder)) await attempt(folder, () => writeProbe(folder));
  }
  await attempt(dataDir, () => finishRestore(dataDir));
  const state = join(dataDir, STATE);
  if (await exists(state)) await attempt(state, async () => (await open(state, "r+")).close());
}

/**
 * Makes the folder of output files on this machine, and tries to write to it.
 *
 * @throws {EnvironmentError} one line that names the variable and the folder.
 */
export async function checkResultFolder({ dataDir, results }: Pick<Environment, "dataDir" | "results">): Promise<void> {
  const [variable, value] =
    results.url?.startsWith("file:") === true ? ["SWATH_RESULTS_URL", results.url] : ["SWATH_DATA_DIR", dataDir];
  await attemptFor(variable, value, undefined, () => openResults({ dataDir, ...results }).check());
}

async function attemptFor(
  variable: string,
  value: string,
  path: string | undefined,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code = String(error), path: failed } = error as NodeJS.ErrnoException;
    const detail = `Expected a folder that the service may write to, but ${path ?? failed} is none (${code})`;
    throw new EnvironmentError(`${variable}="${value}": ${detail}`, { cause: error });
  }
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
