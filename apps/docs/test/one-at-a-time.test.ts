import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { oneAtATime } from "../scripts/one-at-a-time.ts";

const SCRIPT = fileURLToPath(new URL("../scripts/one-at-a-time.ts", import.meta.url));

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swath-lock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a build waits for the one that runs, and begins when that is killed", async () => {
  const folder = await emptyFolder();
  const code = `const { oneAtATime } = await import(${JSON.stringify(SCRIPT)});
    await oneAtATime(${JSON.stringify(folder)});
    process.stdout.write("held");
    process.stdin.on("data", () => process.stdout.write("alive"));`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  let isTaken = false;
  const waiting = oneAtATime(folder).then(() => {
    isTaken = true;
  });
  holder.stdin.write("?");
  await once(holder.stdout, "data");
  expect(isTaken).toBe(false);
  holder.kill("SIGKILL");
  await waiting;
});

test("a folder that a build left without a word of its holder holds nobody up", async () => {
  const folder = join(await emptyFolder(), "building");
  await mkdir(folder);
  await oneAtATime(folder);
});
