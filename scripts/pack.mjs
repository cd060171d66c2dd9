// The packages that npm publishes, and their packing: what a release sends and what tests install are the same files.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("..", import.meta.url));
const env = { ...process.env, PATH: join(root, "node_modules", ".bin") + delimiter + process.env.PATH };

/** Packages and apps that npm publishes, as `{ folder, name, version }`, with the rest of their manifests. */
export function publishedPackages(from = root) {
  return ["packages", "apps"]
    .flatMap((parent) => readdirSync(join(from, parent)).map((folder) => join(from, parent, folder)))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")), folder }))
    .filter((manifest) => manifest.private !== true);
}

/**
 * Packs a built package by pnpm, which writes the versions of siblings in.
 *
 * @returns `{ filename, size }`: the file in `destination`, and its bytes.
 */
export async function pack({ name, folder }, destination) {
  const options = { cwd: folder, env, maxBuffer: 64 << 20 };
  try {
    const args = ["pack", "--json", "--pack-destination", destination];
    return JSON.parse((await promisify(execFile)("pnpm", args, options)).stdout);
  } catch (error) {
    throw new Error(`${name} could not be packed: ${error.message}${error.stdout ?? ""}`, { cause: error });
  }
}
