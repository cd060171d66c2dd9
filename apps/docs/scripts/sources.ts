import { createHash, type Hash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FILES, find, ROOT, WRITTEN } from "./content/paths.ts";

/** Sources of the reference of packages. */
const PACKAGES = ["packages/*/package.json", "packages/*/src/**/*.ts", "tsconfig*.json"];
/** Sources of the reference of the HTTP API and of the errors. */
const SERVICE = ["apps/api/src/**/*.ts", "packages/schema/{collections,presets}/*.json"];
/** The site itself, and versions of what makes it. */
const SITE = ["apps/docs/{scripts,site,pages,errors}/**/*", "apps/docs/site/.vitepress/**/*", "apps/docs/package.json"];
const CHANGES = [".changeset/*.md", "{packages,apps}/*/CHANGELOG.md", "pnpm-lock.yaml"];

function add(hash: Hash, patterns: readonly string[]): void {
  const files = globSync([...patterns], { cwd: ROOT })
    .filter((name) => statSync(join(ROOT, name)).isFile())
    .sort();
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(ROOT, file)));
}

/** SHA-256 over names and bytes of what the reference of packages is made of. */
export function packagesHash(): string {
  const hash = createHash("sha256");
  add(hash, [...PACKAGES, "apps/docs/scripts/content/packages.ts"]);
  return hash.digest("hex");
}

/** SHA-256 over names and bytes of all that the site is made of, and its settings. */
export function sourcesHash(settings: string): string {
  const hash = createHash("sha256").update(settings).update(packagesHash());
  add(hash, [...SERVICE, ...SITE, ...CHANGES, ...find([...WRITTEN, ...FILES])]);
  return hash.digest("hex");
}

const MARK = "sources.sha256";

/** Whether `folder` holds what sources of this hash give. */
export function isMade(folder: string, hash: string): boolean {
  const mark = join(folder, MARK);
  return existsSync(mark) && readFileSync(mark, "utf8").trim() === hash;
}

/** Name of the file that says what a folder was made of. */
export { MARK };
