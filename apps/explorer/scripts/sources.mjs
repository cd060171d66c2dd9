import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Files that the page is built from; the lockfile stands for packages of others. */
const PARTS = [
  "index.html",
  "account",
  "package.json",
  "vite.config.ts",
  "public",
  "scripts",
  "src",
  "../../packages/cog/src",
  "../../packages/engine/src/result",
  "../../packages/geometry/src",
  "../../packages/query/src",
  "../../packages/raster/src",
  "../../pnpm-lock.yaml",
];

const filesOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** SHA-256 over names and bytes of all sources of the page. */
export function sourcesHash() {
  const hash = createHash("sha256");
  const files = PARTS.flatMap((part) => (/\.\w+$/.test(part) ? [join(root, part)] : filesOf(join(root, part))));
  for (const file of files.sort()) hash.update(relative(root, file)).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

/** Whether `dist` holds the page as its sources are now. */
export function isBuilt() {
  const mark = join(root, "dist/sources.sha256");
  return existsSync(mark) && readFileSync(mark, "utf8").trim() === sourcesHash();
}
