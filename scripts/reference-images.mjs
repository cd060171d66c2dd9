#!/usr/bin/env node
// Compares what the service renders with apps/api/test/images/reference-images. With --update, rewrites those images and
// prints of each that changes how many pixels do and by how much; never in CI.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const [mode, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (mode !== undefined && mode !== "--update")) {
  console.error("Usage: npm run reference-images [-- --update]");
  process.exit(2);
}
if (mode === "--update" && process.env.CI !== undefined) {
  console.error("Reference images are never changed in CI.");
  process.exit(2);
}
const { status } = spawnSync(
  fileURLToPath(new URL("../node_modules/.bin/vitest", import.meta.url)),
  ["run", "--project", "unit", "apps/api/test/images/reference-images.test.ts"],
  {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, ...(mode === "--update" ? { UPDATE_REFERENCE_IMAGES: "1" } : {}) },
    shell: process.platform === "win32",
    stdio: "inherit",
  },
);
process.exit(status ?? 1);
