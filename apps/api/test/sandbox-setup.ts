import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the synthetic archive that tests of the whole service share; they only read it. */
    sandbox: string;
  }
}

/** The day the shared archive was "made", so that its newest scenes are always the same. */
const MADE_ON = "2026-06-15T00:00:00Z";

/** Makes the archive once, in a process of its own that reads the sources, and keeps it between runs. */
export default async function setup({ provide }: TestProject): Promise<void> {
  const directory = fileURLToPath(new URL("../../../node_modules/.cache/swath-sandbox", import.meta.url));
  const script = fileURLToPath(new URL("./make-sandbox.ts", import.meta.url));
  await promisify(execFile)(process.execPath, ["--conditions=@swath/source", script, directory, MADE_ON]);
  provide("sandbox", directory);
}
