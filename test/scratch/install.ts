import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { pack } from "../../scripts/pack.mjs";
import { published } from "../workspace.ts";
import { demand } from "./host.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder outside the workspace into which npm installed every package, as it would be published. */
    scratch: string;
    /** Bytes of each packed file, by package folder name. */
    packed: Record<string, number>;
    /** Those files, by name of the package. */
    tarballs: Record<string, string>;
  }
}

/** Packs every package, and the service, as a release does, and installs the files with npm, dependencies from its registry. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "swath-scratch-"));
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  const packed: Record<string, number> = {};
  const files: Record<string, string> = {};
  const dependencies: Record<string, string> = {};
  const left = [...published];
  const packLeft = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { name, folder: cwd, manifest } = next;
      const { filename, size } = await pack({ name: manifest.name, folder: cwd }, tarballs);
      files[manifest.name] = filename;
      packed[name] = size;
      dependencies[manifest.name] = `file:${filename}`;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, packLeft));
  const manifest = { name: "scratch", version: "1.0.0", private: true, type: "module", dependencies };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await demand("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, timeout: 280_000 });
  provide("scratch", folder);
  provide("packed", packed);
  provide("tarballs", files);
  return () => rm(folder, { recursive: true, force: true });
}
