import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { releaseLock, takeLock, waitForLock } from "../scripts/installation-lock.mjs";
import { ROOT } from "./scratch/host.ts";

const MODULE = pathToFileURL(join(ROOT, "scripts/installation-lock.mjs")).href;

let folder: string;
let lock: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-lock-"));
  lock = join(folder, ".installing");
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

const scriptOf = (name: string): string => `scripts/${name}.mjs`;

/** A process that runs a module with the lock's functions. */
function run(code: string): ChildProcess {
  const imports = `import { releaseLock, takeLock, waitForLock } from ${JSON.stringify(MODULE)};
import { appendFileSync } from "node:fs";
const lock = ${JSON.stringify(lock)};`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", `${imports}\n${code}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

test("the second process waits for the first, and takes the lock of one that was killed", async () => {
  const holder = run(`takeLock(lock); console.log("taken"); setInterval(() => {}, 1000);`);
  await once(holder.stdout!, "data");
  expect(takeLock(lock)).toBe(holder.pid);
  const told: number[] = [];
  const waiting = waitForLock(lock, (pid) => told.push(pid));
  // whoever does not have it cannot give it back
  releaseLock(lock);
  expect(await readFile(lock, "utf8")).toBe(String(holder.pid));
  holder.kill("SIGKILL");
  await waiting;
  expect(told).toEqual([holder.pid]);
  expect(await readFile(lock, "utf8")).toBe(String(process.pid));
  releaseLock(lock);
  expect(await readdir(folder)).toEqual([]);
});

test.each(["", "no number", "0", String(process.pid)])("a lock with the text %j is of nobody", async (text) => {
  await writeFile(lock, text);
  expect(takeLock(lock)).toBeUndefined();
});

const isWindows = process.platform === "win32";
test.skipIf(isWindows)(
  `of two tasks in a checkout the second waits while the first installs${isWindows ? " (skipped: npx stands for a script of a shell)" : ""}`,
  async () => {
    const bin = join(folder, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await mkdir(join(folder, "scripts"));
    const files = ["package.json", "pnpm-lock.yaml", ...["run", "installation", "installation-lock"].map(scriptOf)];
    for (const file of files) await copyFile(join(ROOT, file), join(folder, file));
    // says when it installs, and does so until it may end
    const npx = `#!/usr/bin/env node
const { appendFileSync, existsSync } = require("node:fs");
console.log("installing");
appendFileSync("log", "(");
setInterval(() => {
  if (!existsSync("go")) return;
  appendFileSync("log", ")");
  process.exit();
}, 20);`;
    await writeFile(join(bin, "npx"), npx, { mode: 0o755 });
    const setUp = () => {
      const child = spawn(process.execPath, ["scripts/run.mjs", "setup"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      const printed: string[] = [];
      child.stdout.setEncoding("utf8").on("data", (text: string) => printed.push(text));
      return { child, printed: () => printed.join(""), end: once(child, "exit") };
    };
    const first = setUp();
    await expect.poll(first.printed).toContain("installing");
    const second = setUp();
    await expect.poll(second.printed).toContain(`Waiting for process ${first.child.pid}, which installs`);
    await writeFile(join(folder, "go"), "");
    expect(await Promise.all([first.end, second.end])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await readFile(join(folder, "log"), "utf8")).toBe("()()");
    expect((await readdir(folder)).filter((name) => name.startsWith(".installing"))).toEqual([]);
  },
);

test("of several processes one at a time has the lock", async () => {
  await writeFile(lock, "0");
  const log = join(folder, "log");
  const work = `for (let i = 0; i < 3; i++) {
  await waitForLock(lock, () => {});
  appendFileSync(${JSON.stringify(log)}, "(");
  await new Promise((resolve) => setTimeout(resolve, 5));
  appendFileSync(${JSON.stringify(log)}, ")");
  releaseLock(lock);
}`;
  const ends = await Promise.all(Array.from({ length: 4 }, () => once(run(work), "exit")));
  expect(ends).toEqual(Array(4).fill([0, null]));
  expect(await readFile(log, "utf8")).toBe("()".repeat(12));
});
