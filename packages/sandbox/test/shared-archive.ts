import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSandbox } from "../src/node.ts";

/** Day of the archive that tests share. */
export const NOW = "2026-01-15";

const source = fileURLToPath(new URL("../src", import.meta.url));
const cache = fileURLToPath(new URL("../node_modules/.cache/archives", import.meta.url));

function sourceHash(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(source).sort()) hash.update(readFileSync(join(source, name)));
  return hash.digest("hex").slice(0, 12);
}

/** The whole archive, kept between runs until the source changes. */
export async function sharedArchive(): Promise<string> {
  const name = sourceHash();
  try {
    for (const other of readdirSync(cache)) {
      if (!other.includes(name)) rmSync(join(cache, other), { recursive: true, force: true });
    }
  } catch {
    // no cache yet
  }
  const directory = join(cache, name);
  await makeSandbox(directory, { now: new Date(NOW) });
  return directory;
}
