import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { published } from "../workspace.ts";
import { demand, tool } from "./host.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder outside the workspace into which npm installed every package, as it would be published. */
    scratch: string;
    /** Bytes of each packed file, by package folder name. */
    packed: Record<string, number>;
  }
}

/** Packs every package, and the service, as it would be published and installs the files with npm, dependencies from its registry. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "swath-scratch-"));
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  const packed: Record<string, number> = {};
  const dependencies: Record<string, string> = {};
  for (const { name, folder: cwd, manifest } of published) {
    const printed = await demand(tool("pnpm"), ["pack", "--json", "--pack-destination", tarballs], { cwd });
    const { filename, size } = JSON.parse(printed) as { filename: string; size: number };
    packed[name] = size;
    dependencies[manifest.name] = `file:${filename}`;
  }
  const manifest = { name: "scratch", version: "1.0.0", private: true, type: "module", dependencies };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await demand("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, timeout: 280_000 });
  provide("scratch", folder);
  provide("packed", packed);
  return () => rm(folder, { recursive: true, force: true });
}
