import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "../scripts/sources.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = fileURLToPath(new URL("..", import.meta.url));
/** A key that the service under test accepts. */
export const KEY = "explorer-test-key";

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Builds the page where its sources are newer; test files that run side by side wait for each other. */
export async function buildPage(): Promise<void> {
  const lock = join(page, "node_modules", ".building");
  for (let waited = 0; !isBuilt(); waited++) {
    if (waited > 300) throw new Error(`The page was not built by whoever holds ${lock}.`);
    const mine = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!mine) {
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
      await rm(lock, { recursive: true });
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

let recent: Promise<string> | undefined;

/**
 * An archive that a service takes as it is: a service makes the shared one of `sandbox` anew where that is older than a
 * month. It is made once and kept beside it.
 */
function recentArchive(sandbox: string): Promise<string> {
  recent ??= (async () => {
    const directory = `${sandbox}-recent`;
    const script = join(root, "apps/api/test/make-sandbox.ts");
    const code = await ended(
      spawn(process.execPath, ["--conditions=@swath/source", script, directory], { stdio: "inherit" }),
    );
    if (code !== 0) throw new Error(`${script} ended with ${code}.`);
    return directory;
  })();
  return recent;
}

/** Starts the service from source over an archive that tests share, on a free port and with its own state. */
export async function startService(sandbox: string, variables: Record<string, string> = {}): Promise<Service> {
  const data = await mkdtemp(join(tmpdir(), "swath-explorer-"));
  await symlink(await recentArchive(sandbox), join(data, "sandbox"));
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
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
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

/** Chromium as Debian and others install it; undefined where there is none. */
export const chromiumPath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
