#!/usr/bin/env node
// Runs on any Node >= 18 with npm: installs what is missing, then runs a task with the Node and pnpm
// that the lockfile pins, so that every machine runs the same versions.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);
const packageManager = JSON.parse(readFileSync(at("package.json"), "utf8")).packageManager.split("+")[0];
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const env = {
  // compiled code is kept between starts: a third off the time to the first tile
  NODE_COMPILE_CACHE: at("node_modules", ".cache", "compiled"),
  ...process.env,
  PATH: [at("node_modules", ".bin"), at("apps", "explorer", "node_modules", ".bin"), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};

/** Processes that run now. */
const children = new Set();
let isEnding = false;

/** Ends the processes that run; where none does, this process. */
const end = (signal) => {
  isEnding = true;
  for (const child of children) child.kill(signal);
  if (children.size === 0) process.exit(143);
};
for (const signal of signals) process.on(signal, () => end(signal));

// A signal that npm gets goes to the shell in which it runs this script. Some shells end by it and do not pass it on: then
// npm is gone, and the service would go on alone. On Windows a console's signal reaches all its processes.
const parent = process.ppid;
const { npm_lifecycle_event: script } = process.env;
if (script !== undefined && process.platform !== "win32") {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end("SIGTERM");
  }, 250);
  watch.unref();
}

const start = (command, args, options) => {
  const child = spawn(command, args, { cwd: root, env, ...options });
  children.add(child);
  const forget = () => children.delete(child);
  return child.on("exit", forget).on("error", forget);
};

/** Runs a command to its end with signals passed on; its exit code, 143 where a signal ended it. */
const attempt = (command, args, cwd = root) =>
  new Promise((done, fail) => {
    if (isEnding) process.exit(143);
    const child = start(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
    child.on("error", fail);
    child.on("exit", (code, signal) => done(code ?? (signal ? 143 : 1)));
  });

/** Runs a command to its end; leaves the process with its exit code when it fails. */
const run = async (command, args) => {
  const code = await attempt(command, args);
  if (code !== 0) process.exit(code);
};

const same = (a, b) => existsSync(a) && existsSync(b) && readFileSync(a, "utf8") === readFileSync(b, "utf8");
const source = "--conditions=@swath/source";

/**
 * Memory for young objects in megabytes: Node 24's default is larger, which costs 30 MB per thread and brings a service
 * nothing. And for old ones, up to which there is no full collection: the code that a thread loads at its start takes
 * nearly half of it.
 */
const heap = ["--max-semi-space-size=4", "--initial-old-space-size=64"];

const documents = [source, "apps/docs/scripts/build.ts"];

/**
 * Builds the documents where they are older than their sources, at low priority beside the service, which serves them as
 * soon as they are there.
 */
const refreshDocuments = () =>
  start("node", [...documents, "--if-stale", "--background"], { stdio: "ignore" }).on("error", () => {});

/** Builds the map page where its sources have changed since; the service starts without it too. */
const buildExplorer = async () => {
  let code = 0;
  try {
    const { isBuilt } = await import("../apps/explorer/scripts/sources.mjs");
    if (isBuilt()) return;
    console.log("Building the explorer (after changes only, a few seconds) ...");
    code = await attempt("vite", ["build", "--logLevel", "error"], at("apps/explorer"));
    if (code !== 0) console.error("The explorer was not built; the service starts without it.");
  } catch (error) {
    console.error(`The explorer was not built; the service starts without it: ${error.message}`);
  }
  if (code === 143) process.exit(code);
};

const tasks = {
  setup: async () => {},
  start: async (rest) => {
    // a worker serves no pages
    if (env.SWATH_ROLE !== "worker") {
      await buildExplorer();
      refreshDocuments();
    }
    return run("node", [source, ...heap, "apps/api/src/main.ts", ...rest]);
  },
  test: async (rest) => {
    await run("turbo", ["run", "build"]);
    await run("tsc", ["-p", "."]);
    await run("vitest", ["run", "--project", "unit", "--project", "alone", ...rest]);
  },
  // tests that take minutes: fleets of processes, the explorer in a browser, catalogs of 12,000 items
  "test:long": async (rest) => {
    await run("turbo", ["run", "build"]);
    await run("vitest", ["run", "--project", "long", "--project", "long-alone", ...rest]);
  },
  scratch: async (rest) => {
    await run("turbo", ["run", "build"]);
    await run("vitest", ["run", "--config", "test/scratch/vitest.config.ts", ...rest]);
  },
  archive: (rest) => run("node", [source, "apps/api/src/commands/archive.ts", ...rest]),
  accounts: (rest) => run("node", [source, "apps/api/src/commands/accounts.ts", ...rest]),
  keys: (rest) => run("node", [source, "apps/api/src/commands/keys.ts", ...rest]),
  spending: (rest) => run("node", [source, "apps/api/src/commands/spending.ts", ...rest]),
  doctor: (rest) => run("node", [source, "apps/api/src/commands/doctor.ts", ...rest]),
  maintenance: (rest) => run("node", [source, "apps/api/src/commands/maintenance.ts", ...rest]),
  backup: (rest) => run("node", [source, "apps/api/src/commands/backup.ts", ...rest]),
  restore: (rest) => run("node", [source, "apps/api/src/commands/restore.ts", ...rest]),
  docs: (rest) => run("node", [...documents, ...rest]),
  check: () => run("node", ["scripts/check.mjs"]),
  answers: (rest) => run("node", [source, "test/answers/main.ts", ...rest]),
  bench: (rest) => run("node", [source, "--expose-gc", "bench/main.ts", ...rest]),
};

const [task = "start", ...rest] = process.argv.slice(2);
const chosen = tasks[task];
if (chosen === undefined) {
  console.error(`Unknown task "${task}": expected one of ${Object.keys(tasks).join(", ")}.`);
  process.exit(2);
}
if (task === "setup" || !same(at("pnpm-lock.yaml"), at("node_modules/.pnpm/lock.yaml"))) {
  await run("npx", ["-y", packageManager, "install", "--frozen-lockfile"]);
}
await chosen(rest);
