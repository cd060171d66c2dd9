import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostEnvironment, ROOT } from "./scratch/host.ts";

const isWindows = process.platform === "win32";
/** Time that a stop may take, milliseconds; on a machine on which a start takes longer than this, as long as the start. */
const STOP_MS = 10_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-npm-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("no script of the package says what the shell of Windows does not know", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const script of Object.values(scripts)) expect(script).not.toMatch(/\bexec\b|[;'$`]|^[A-Z_]+=/);
});

/** Processes of a group, as `ps` shows them. */
async function processesOf(group: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pgid=,stat=,args="]);
  return stdout.split("\n").filter((line) => {
    const [, id, state = ""] = /^\s*(\d+)\s+(\S+)/.exec(line) ?? [];
    return Number(id) === group && !state.startsWith("Z");
  });
}

/** `npm start` as the leader of a process group of its own, once it serves. */
async function npmStart(shell: string): Promise<ChildProcess & { pid: number }> {
  const child = spawn("npm", ["start", `--script-shell=${shell}`], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...hostEnvironment(),
      PORT: "0",
      SWATH_DATA_DIR: join(folder, "data"),
      SWATH_UPSTREAM_URL: "http://127.0.0.1:9/stac",
      SWATH_WORKERS: "1",
      SWATH_WARM_UP: "off",
    },
  });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (/listens on http/.test(printed)) resolve();
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}\n${printed}`)));
  });
  return child as ChildProcess & { pid: number };
}

describe.skipIf(isWindows)(`npm start${isWindows ? " (skipped: Windows has no process groups)" : ""}`, () => {
  // dash keeps a SIGINT that npm alone was sent until its command ends, which nothing outside of it sees: not promised
  test.each([
    { shell: "sh", signal: "SIGTERM", to: "npm" },
    { shell: "bash", signal: "SIGTERM", to: "npm" },
    { shell: "bash", signal: "SIGINT", to: "npm" },
    { shell: "sh", signal: "SIGINT", to: "the group, as a terminal sends it" },
  ] as const)("in $shell leaves nothing behind within ten seconds of $signal to $to", async ({ shell, signal, to }) => {
    const started = performance.now();
    const child = await npmStart(`/bin/${shell}`);
    const timeout = Math.max(STOP_MS, performance.now() - started);
    try {
      expect((await processesOf(child.pid)).length).toBeGreaterThan(1);
      const ended = once(child, "exit");
      process.kill(to === "npm" ? child.pid : -child.pid, signal);
      await expect.poll(() => processesOf(child.pid), { timeout, interval: 100 }).toEqual([]);
      await ended;
    } finally {
      if ((await processesOf(child.pid)).length > 0) process.kill(-child.pid, "SIGKILL");
    }
  });
});
