import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";

const HEX = /^[0-9a-f]{64}$/;

/**
 * A secret of 256 bits in a file that its owner alone may read: made once, kept in the data directory. Of two processes
 * that start at once both get the same.
 */
export async function secretFile(dataDir: string, name: string): Promise<Buffer> {
  const path = join(dataDir, name);
  const known = await read(path);
  if (known !== undefined) return known;
  await makeFolder(dataDir);
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  await writeFile(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  try {
    // fails where another process was faster: its secret is the one
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const made = await read(path);
  if (made === undefined) throw new Error(`Expected 64 hexadecimal digits in ${name}.`);
  return made;
}

async function read(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const digits = text?.trim();
  return digits !== undefined && HEX.test(digits) ? Buffer.from(digits, "hex") : undefined;
}
