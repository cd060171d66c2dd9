#!/usr/bin/env node
// Everything that is checked but is no test: format and lint, unused code, what npm would publish. One line per check;
// the output of those that fail follows it, and the exit code is 1.
import { spawn } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, Package } from "@arethetypeswrong/core";
import { problemAffectsResolutionKind } from "@arethetypeswrong/core/problems";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = {
  ...process.env,
  PATH: join(root, "node_modules", ".bin") + delimiter + process.env.PATH,
  FORCE_COLOR: "0",
  NO_COLOR: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};

/** Runs a command to its end; its exit code (1 where it could not be started) and all it printed. */
const run = (command, args, cwd) =>
  new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    const gather = (chunk) => {
      output += chunk;
    };
    child.stdout.on("data", gather);
    child.stderr.on("data", gather);
    child.on("error", (error) => done({ code: 1, output: output + error.message }));
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });

/** Whether an import of a package by its name, from an ES module or by a bundler, finds its code with types that fit. */
const checkTypes = async ({ folder, manifest }) => {
  const documents = Object.values(manifest.exports).filter((target) => typeof target === "string");
  const files = globSync([...documents, "./dist/**/*.{js,mjs,ts,json}"], { cwd: folder }).map((name) =>
    normalize(name),
  );
  const read = (name) => [
    `/node_modules/${manifest.name}/${name.replaceAll("\\", "/")}`,
    readFileSync(join(folder, name), "utf8"),
  ];
  const analysis = await checkPackage(
    new Package(Object.fromEntries(files.map(read)), manifest.name, manifest.version),
  );
  const ways = ["node16-esm", "bundler"];
  const problems = (analysis.problems ?? []).filter((each) =>
    ways.some((way) => problemAffectsResolutionKind(each, way, analysis)),
  );
  if (!analysis.types) return { code: 1, output: "The package has no types." };
  return { code: problems.length === 0 ? 0 : 1, output: problems.map((each) => JSON.stringify(each)).join("\n") };
};

let failed = 0;
const check = (name, command, args, cwd = root) => report(name, () => run(command, args, cwd));
const report = async (name, work) => {
  const start = performance.now();
  const { code, output } = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (code === 0) return true;
  failed += 1;
  console.log(output.trimEnd().replace(/^/gm, "       "));
  return false;
};

const published = ["packages", "apps"]
  .flatMap((parent) => readdirSync(join(root, parent)).map((folder) => join(root, parent, folder)))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter(({ manifest }) => manifest.private !== true);

/** Runs tasks, as many at a time as there are cores. */
const together = async (tasks) => {
  const left = [...tasks];
  const work = async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
};

let isBuilt = false;
await together([
  async () => {
    isBuilt = await check("turbo: build", "turbo", ["run", "build"]);
  },
  () => check("biome: format, lint, import order", "biome", ["ci", "--error-on-warnings", "."]),
  () => check("assembly: what is compiled is up to date", "node", ["scripts/assembly.mjs", "--check"]),
  () => check("knip: unused files, exports, dependencies", "knip", ["--no-progress", "--no-config-hints"]),
]);
if (isBuilt) {
  await together(
    published.map(({ folder, manifest }) => async () => {
      await check(`publint: ${manifest.name}`, "publint", ["--pack", "pnpm", "--strict"], folder);
      await report(`types: ${manifest.name}`, () => checkTypes({ folder, manifest }));
    }),
  );
} else {
  failed += 1;
  console.log("FAILED publint, types: nothing to look at without a build");
}
if (failed > 0) process.exitCode = 1;
