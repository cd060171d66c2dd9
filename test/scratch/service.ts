import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostEnvironment, ROOT } from "./host.ts";

export interface StartedService {
  readonly url: string;
  /** The key that the service printed. */
  readonly key: string;
  /** Its data directory. */
  readonly data: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Default: `npm start` in the checkout, as the README says. */
  readonly command?: readonly [string, ...string[]];
  readonly cwd?: string;
  /** Default: a folder of its own, which is removed when the service stops. */
  readonly data?: string;
  /** The synthetic archive that the folder of its own begins with. Default: the service makes one. */
  readonly archive?: string;
}

/** Starts the service; done when it has printed its address and a key. */
export async function startService(options: StartOptions = {}): Promise<StartedService> {
  const { command: [command, ...args] = ["npm", "start"], cwd = ROOT } = options;
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "swath-data-")));
  if (options.archive !== undefined) await symlink(options.archive, join(data, "sandbox"));
  const env = { ...hostEnvironment(), PORT: "0", SWATH_DATA_DIR: data };
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const found = await new Promise<{ url: string; key: string }>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      const url = /listens on (http\S+)/.exec(printed)?.[1];
      const key = /key\s+([0-9a-z_-]{16,})/i.exec(printed)?.[1];
      if (url !== undefined && key !== undefined) resolve({ url, key });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}\n${printed}`)));
  });
  return {
    ...found,
    data,
    async stop() {
      if (child.exitCode !== null)
        throw new Error(`The service ended early with ${child.exitCode}\n${printed.slice(-2000)}`);
      const ended = new Promise((done) => child.once("exit", done));
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      await ended;
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}
