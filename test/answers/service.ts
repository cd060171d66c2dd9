import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSandbox } from "../../packages/sandbox/src/node.ts";
import { freePort } from "../tools/free-port.ts";

/** When the services' clocks start, and the day of which the archive is. */
export const STARTED = new Date("2026-06-16T12:00:00Z");
const MADE_ON = new Date("2026-06-15T00:00:00Z");
/** The key that the services accept. */
export const KEY = "answers-key";
/** The address that stands in links instead of a port. */
export const PUBLIC_URL = "http://swath.test";

const ARCHIVE = fileURLToPath(new URL("../../node_modules/.cache/swath-sandbox", import.meta.url));
const CLOCK = new URL(`./clock.mjs?${STARTED.toISOString()}`, import.meta.url).href;
const START_MS = 300_000;
const STOP_MS = 15_000;

export interface Service {
  /** The address that answers. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Starts the service of a checkout as `npm start` does, on a copy of the synthetic archive, with a fixed clock.
 *
 * @param checkout where `scripts/run.mjs` is.
 */
export async function startService(checkout: string, profile: "full" | "lean"): Promise<Service> {
  await makeSandbox(ARCHIVE, { now: MADE_ON });
  const folder = await mkdtemp(join(tmpdir(), "swath-answers-"));
  await cp(ARCHIVE, join(folder, "sandbox"), { recursive: true });
  const port = await freePort();
  const child = spawn(process.execPath, ["scripts/run.mjs", "start"], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...ownEnvironment(),
      PORT: String(port),
      NODE_OPTIONS: `--import=${CLOCK}`,
      SWATH_DATA_DIR: folder,
      SWATH_PROFILE: profile,
      SWATH_PUBLIC_URL: PUBLIC_URL,
      SWATH_API_KEYS: KEY,
      SWATH_LOG_LEVEL: "silent",
      SWATH_WARM_UP: "off",
    },
  });
  try {
    await listening(child);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** This process's variables without those that the service reads. */
function ownEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SWATH_|AWS_|DATABASE_URL$|HOST$|EARTHDATA_TOKEN$)/.test(name)),
  );
}

async function listening(child: ChildProcess): Promise<void> {
  let printed = "";
  const told = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes("Swath listens")) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The service ended with exit code ${code}:\n${printed}`)));
    AbortSignal.timeout(START_MS).addEventListener("abort", () =>
      reject(new Error(`The service does not listen after ${START_MS / 1000} s:\n${printed}`)),
    );
  });
  await told;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const last = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(last);
}
