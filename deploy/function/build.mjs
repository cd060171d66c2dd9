#!/usr/bin/env node
// Writes the service as one file for AWS Lambda, for Linux of this machine's architecture: `npm run function [-- FILE]`.
// It holds the bundled service, and beside it what is loaded by its name: native libraries, WebAssembly and fonts.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { bundle } from "../../apps/api/scripts/bundler.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = `linux-${process.arch}`;

/**
 * Packages that are not bundled: the package that depends on each, and the files of it that are needed. Others that are not,
 * functions have no need of: neither a terminal nor an old Node is where they run.
 */
const PACKAGES = [
  ["sharp", "packages/encode", /^dist\/.*\.(mjs|cjs)$/],
  ["@img/colour", "sharp", /\.(js|cjs|mjs)$/],
  ["detect-libc", "sharp", /^lib\/.*\.js$/],
  ["semver", "sharp", /\.js$/],
  [`@img/sharp-${target}`, "sharp", /\.(node|cjs)$/],
  [`@img/sharp-libvips-${target}`, `@img/sharp-${target}`, /(\.so[.\d]*|\.c?js|versions\.json)$/],
  ["@julusian/jpeg-turbo", "packages/engine", new RegExp(`^[^/]*\\.js$|^prebuilds/jpeg-turbo-${target}/`)],
  ["pkg-prebuilds", "@julusian/jpeg-turbo", /^(bindings\.js|lib\/.*\.js)$/],
  ["@jsquash/webp", "packages/encode", /^codec\/.*\.wasm$/],
  ["@cornerstonejs/codec-openjpeg", "packages/jp2", /decode\.wasm$/],
  ["@fontsource/inter", "packages/chart", /inter-latin-(400|600)-normal\.woff$/],
];

/** The folder of a package, as another one finds it. */
function folderOf(name, dependent) {
  for (let folder = dependent; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(found)) return realpathSync(found);
    if (folder === dirname(folder))
      throw new Error(`${name} is not installed: build on ${target}, after npm run setup.`);
  }
}

/** The files of the packages that are not bundled, by their paths in the function. */
function packageFiles() {
  const folders = new Map();
  const files = {};
  for (const [name, dependent, pattern] of PACKAGES) {
    const folder = folderOf(name, folders.get(dependent) ?? join(root, dependent));
    folders.set(name, folder);
    for (const path of readdirSync(folder, { recursive: true })) {
      const isNeeded = path === "package.json" || /^LICENSE/.test(path) || pattern.test(path);
      if (!isNeeded || path.startsWith("node_modules/") || !statSync(join(folder, path)).isFile()) continue;
      files[`node_modules/${name}/${path}`] = readFileSync(join(folder, path));
    }
  }
  return files;
}

/** The service as modules, of which `index.mjs` exports `handler`. */
const service = await bundle({
  input: "apps/api/src/function.ts",
  conditions: ["@swath/source"],
  entryFileNames: "index.mjs",
  chunkFileNames: "[name]-[hash].mjs",
  minify: true,
});

const file = resolve(process.argv[2] ?? join(root, "deploy", "function", "dist", "swath.zip"));
const files = { ...service, ...packageFiles() };
// readable for the account that runs the function, whatever unpacks it
const entry = (bytes) => [bytes, { os: 3, attrs: 0o644 << 16, mtime: "2000-01-01" }];
const zip = zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, entry(bytes)])), {
  level: 9,
});
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, zip);
console.log(`${relative(process.cwd(), file)}: ${(zip.length / 1e6).toFixed(1)} MB`);
