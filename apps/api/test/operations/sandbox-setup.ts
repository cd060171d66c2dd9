import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the synthetic archive that tests share; they only read it. */
    sandbox: string;
  }
}

/** The day the shared archive was "made", so that its newest scenes are always the same. */
const MADE_ON = "2026-06-15T00:00:00Z";
const ARCHIVES = fileURLToPath(new URL("../../../../node_modules/.cache/swath-sandbox", import.meta.url));
const SOURCES = fileURLToPath(new URL("../../../../packages/sandbox/src", import.meta.url));

/** Names the sources that make an archive: another archive is made where they have changed. */
function hashOfSources(): string {
  const hash = createHash("sha256");
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  for (const name of files.sort()) hash.update(readFileSync(join(SOURCES, name)));
  return hash.digest("hex").slice(0, 12);
}

/** Makes the archive once, in a process of its own that reads the sources, and keeps it between runs. */
export default async function setup({ provide }: TestProject): Promise<void> {
  const name = hashOfSources();
  const script = fileURLToPath(new URL("./make-sandbox.ts", import.meta.url));
  await mkdir(ARCHIVES, { recursive: true });
  // what begins with a dot is an archive that another run is making
  const others = (await readdir(ARCHIVES)).filter((other) => other !== name && !other.startsWith("."));
  for (const other of others) await rm(join(ARCHIVES, other), { recursive: true, force: true });
  const directory = join(ARCHIVES, name);
  await promisify(execFile)(process.execPath, ["--conditions=@swath/source", script, directory, MADE_ON]);
  provide("sandbox", directory);
}
