import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "../scripts/sources.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = fileURLToPath(new URL("..", import.meta.url));
/** Facts about an archive, such as the day that it was made. */
const FACTS = "archive.json";
/** A key that the service under test accepts. */
export const KEY = "explorer-test-key";

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether a lock was left by a process that has ended: a lock is a link that names its process. */
async function isLeft(lock: string): Promise<boolean> {
  try {
    process.kill(Number(await readlink(lock)), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Builds the page where its sources are newer; test files that run side by side wait for each other. */
export async function buildPage(): Promise<void> {
  const lock = join(page, "node_modules", ".building");
  while (!isBuilt()) {
    const mine = await symlink(String(process.pid), lock).then(
      () => true,
      () => false,
    );
    if (!mine) {
      if (await isLeft(lock)) await rm(lock, { recursive: true, force: true });
      await pause(200);
      continue;
    }
    try {
      const vite = join(page, "node_modules", ".bin", "vite");
      // the page as it is delivered: with the NODE_ENV of tests, components would be compiled with their places in the source
      const env = { ...process.env, NODE_ENV: "production" };
      const code = await ended(spawn(vite, ["build", "--logLevel", "error"], { cwd: page, env, stdio: "inherit" }));
      if (code !== 0) throw new Error(`vite build ended with ${code}.`);
      if (!isBuilt()) return; // sources changed while it was built; what was built is new enough
    } finally {
      await rm(lock, { force: true });
    }
  }
}

export interface Service {
  readonly url: string;
  /** Folder of the service's state, its results and its mails. */
  readonly dataDirectory: string;
  /** Returns the text that the service has printed to its console. */
  printed(): string;
  stop(): Promise<void>;
}

/**
 * Puts the archive that tests share into a folder of a service, as if it were made today: a service makes one anew that is
 * older than a month. Its files are the shared ones.
 */
async function putArchive(shared: string, folder: string): Promise<void> {
  await mkdir(folder);
  const names = (await readdir(shared)).filter((name) => name !== FACTS);
  for (const name of names) await symlink(join(shared, name), join(folder, name));
  const facts = JSON.parse(await readFile(join(shared, FACTS), "utf8")) as object;
  const now = new Date().toISOString().slice(0, 10);
  await writeFile(join(folder, FACTS), JSON.stringify({ ...facts, now }));
}

/** Starts the service from source over an archive that tests share, on a free port and with its own state. */
export async function startService(sandbox: string, variables: Record<string, string> = {}): Promise<Service> {
  const data = await mkdtemp(join(tmpdir(), "swath-explorer-"));
  await putArchive(sandbox, join(data, "sandbox"));
  const child = spawn(process.execPath, ["--conditions=@swath/source", "apps/api/src/main.ts"], {
    cwd: root,
    env: {
      ...process.env,
      PORT: "0",
      SWATH_DATA_DIR: data,
      SWATH_API_KEYS: KEY,
      SWATH_LOG_LEVEL: "warn",
      SWATH_WORKERS: "1",
      SWATH_WARM_UP: "off",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // an interrupted run ends without waiting for anything
  const abandon = (): void => {
    child.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", abandon);
  const stop = async (): Promise<void> => {
    process.off("exit", abandon);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await ended(child);
    }
    await rm(data, { recursive: true, force: true });
  };
  let printed = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /listens on (http:\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}:\n${printed}`)));
  });
  return { url, dataDirectory: data, printed: () => printed, stop };
}
