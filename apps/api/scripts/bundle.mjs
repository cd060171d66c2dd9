// Bundles the built service and its render thread into dist/bundle, from which `dist/main.js` starts: it reads tens of files in
// the place of hundreds. Native libraries, WebAssembly, fonts and pages are those of the installed packages.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, OUTSIDE } from "./bundler.mjs";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const installed = fileURLToPath(new URL("installed.mjs", import.meta.url));
/** Starts the render thread, which is bundled too and stands beside it. */
const POOL = "packages/engine/dist/run/threads/pool.js";

/** Our packages that the service runs on, each with those by which the service depends on it. */
function dependencyPaths() {
  const paths = new Map([["api", []]]);
  // what is added meanwhile is visited too
  for (const [name, path] of paths) {
    const folder = name === "api" ? packageFolder : join(root, "packages", name);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    for (const dependency of Object.keys(dependencies)) {
      const [, own] = /^@swath\/(.+)/.exec(dependency) ?? [];
      if (own !== undefined && !paths.has(own)) paths.set(own, [...path, dependency]);
    }
  }
  return paths;
}

const paths = dependencyPaths();
const importOutside = new RegExp(`\\bimport\\("(${OUTSIDE.join("|")})"\\)`, "g");

/** Modules that find files by their own address find them in their installed package, and what is not bundled from there. */
const findInstalled = {
  name: "find-installed",
  transform(code, id) {
    const file = relative(root, id).replaceAll("\\", "/");
    const [, name, path] = /^(?:packages|apps)\/([^/]+)\/(dist\/.+)$/.exec(file) ?? [];
    if (name === undefined || file === POOL) return null;
    const own = `addressOf(${JSON.stringify(paths.get(name))}, ${JSON.stringify(path)})`;
    const changed = code
      .replace(importOutside, `import(resolveFrom(${own}, "$1"))`)
      .replaceAll("import.meta.resolve(", `resolveFrom(${own}, `)
      .replaceAll("import.meta.url", own);
    if (changed === code) return null;
    return { code: `import { addressOf, resolveFrom } from ${JSON.stringify(installed)};\n${changed}` };
  },
  generateBundle(_, files) {
    const imported = Object.values(files).flatMap(({ imports = [], dynamicImports = [] }) => [
      ...imports,
      ...dynamicImports,
    ]);
    // pg asks for pg-native by itself, which is not installed
    const left = imported.filter((name) => OUTSIDE.includes(name) && name !== "pg-native");
    if (left.length > 0) throw new Error(`Imported from the bundle, which may not find it: ${left.join(", ")}.`);
  },
};

const files = await bundle({
  input: { service: "apps/api/dist/service/run-service.js", worker: "packages/engine/dist/run/threads/worker.js" },
  plugins: [findInstalled],
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  comments: false,
  keepNames: true,
});
const folder = join(packageFolder, "dist", "bundle");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
