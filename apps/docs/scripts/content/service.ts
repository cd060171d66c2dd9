import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenApi } from "./http-api.ts";
import { ROOT } from "./paths.ts";

/** An upstream that nothing asks: the description is made of the routes alone. */
const NOWHERE = "http://127.0.0.1:9";
/** Public address that the description names where it is read without a server. */
const PUBLIC_URL = "https://swath.example";

async function addressOf(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(printed);
      if (port !== null) resolve(`http://127.0.0.1:${port[1]}`);
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}:\n${printed}`)));
  });
}

/** A service that answers on this machine. */
export interface RunningService {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the service from its sources, without an archive: for what is said of it, not for images. */
export async function startService(variables: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const data = await mkdtemp(join(tmpdir(), "swath-docs-"));
  const child = spawn(process.execPath, ["--conditions=@swath/source", "apps/api/src/main.ts"], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: "0",
      SWATH_DATA_DIR: data,
      SWATH_UPSTREAM_URL: NOWHERE,
      SWATH_API_KEYS: "docs",
      SWATH_WORKERS: "1",
      SWATH_WARM_UP: "off",
      SWATH_LOG_LEVEL: "error",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // who ends this process ends the service too
  const end = (): void => {
    child.kill("SIGTERM");
    process.exit(143);
  };
  process.once("SIGTERM", end).once("SIGINT", end);
  const stop = async (): Promise<void> => {
    process.off("SIGTERM", end).off("SIGINT", end);
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(data, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Asks a service for its OpenAPI document. */
export async function readOpenApi(): Promise<OpenApi> {
  const { address, stop } = await startService();
  try {
    const text = await (await fetch(`${address}/v1/openapi.json`)).text();
    return JSON.parse(text.replaceAll(address, PUBLIC_URL)) as OpenApi;
  } finally {
    await stop();
  }
}
