#!/usr/bin/env node
// Runs on any Node >= 18 with npm: installs what is missing, then runs a task with the pnpm that the lockfile pins, and with
// its Node, so that every machine runs the same versions; the service runs with the Node that is there where it can.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, constants, setPriority } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ADDITIONS, installArguments, missingPart, neededAdditions } from "./installation.mjs";
import { releaseLock, takeLock, waitForLock } from "./installation-lock.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);
const packageManager = JSON.parse(readFileSync(at("package.json"), "utf8")).packageManager.split("+")[0];
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const env = {
  // compiled code is kept between starts: a third off the time to the first tile
  NODE_COMPILE_CACHE: at("node_modules", ".cache", "compiled"),
  ...process.env,
  PATH: [
    at("node_modules", ".bin"),
    at("apps", "explorer", "node_modules", ".bin"),
    dirname(process.execPath),
    process.env.PATH,
  ].join(delimiter),
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};

/** Processes that run now. */
const children = new Set();
let isEnding = false;

/** Processes that lead a group of their own. */
const leaders = new Set();

const stop = (child, signal) => {
  try {
    if (leaders.has(child)) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
};

/** Ends the processes that run; where none does, this process. */
const end = (signal) => {
  isEnding = true;
  for (const child of children) stop(child, signal);
  if (children.size === 0) process.exit(143);
};
for (const signal of signals) process.on(signal, () => end(signal));
// where the service fails, nothing that was started beside it goes on
process.on("exit", () => {
  for (const child of children) stop(child, "SIGTERM");
});

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
const attempt = (command, args, { cwd = root, onReady } = {}) =>
  new Promise((done, fail) => {
    if (isEnding) process.exit(143);
    const isWindows = process.platform === "win32";
    const hears = onReady !== undefined && !isWindows;
    const stdio = hears ? ["inherit", "inherit", "inherit", "ipc"] : "inherit";
    const child = start(command, args, { cwd, stdio, shell: isWindows });
    if (hears) child.once("message", onReady);
    // the shell of Windows passes no messages on
    else onReady?.();
    child.on("error", fail);
    child.on("exit", (code, signal) => done(code ?? (signal ? 143 : 1)));
  });

/** Runs a command to its end; leaves the process with its exit code when it fails. */
const run = async (command, args, options) => {
  const code = await attempt(command, args, options);
  if (code !== 0) process.exit(code);
};

/** Runs a command to its end; shows what it printed, and leaves the process, when it fails. */
const runQuietly = (command, args) =>
  new Promise((done, fail) => {
    const child = start(command, args, {
      env: npmEnv,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) return done();
      process.stderr.write(Buffer.concat(printed));
      process.exit(code ?? 143);
    });
  });

const needed = neededAdditions(process.features, process.env);
const isThere = (addition) => existsSync(at(ADDITIONS[addition]));
const pnpm = (part) => {
  // what an earlier start needed stays
  const additions = Object.keys(ADDITIONS).filter((addition) => needed.includes(addition) || isThere(addition));
  return ["-y", packageManager, "install", "--frozen-lockfile", ...installArguments(part, additions)];
};
/** npm runs with the Node that this script runs with: the one that is being installed may not know the machine's certificates. */
const npmEnv = { ...env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
const readIfThere = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const digest = (text) => text && createHash("sha256").update(text).digest("hex");
const lockfile = digest(readFileSync(at("pnpm-lock.yaml"), "utf8"));

/** The file that says which part is installed, where it is not all. */
const markFile = at("node_modules", ".part");
const readMark = () => JSON.parse(readIfThere(markFile) ?? "null") ?? undefined;
const writeMark = (mark) => {
  mkdirSync(at("node_modules"), { recursive: true });
  writeFileSync(markFile, JSON.stringify(mark));
};

/** The file that names the process which installs into this checkout. */
const lockFile = at(".installing");
process.on("exit", () => releaseLock(lockFile));

/** Installs a part, with one line for it. */
const install = async (part) => {
  const isAll = part === "all";
  const megabytes = needed.includes("node") ? 380 : 250;
  console.log(`Installing ${isAll ? "everything" : `what the service needs (${megabytes} MB)`}, once ...`);
  // where this is stopped half-way, the next task goes on with it
  if (isAll) rmSync(markFile, { force: true });
  else writeMark({});
  const started = Date.now();
  if (isAll) await run("npx", pnpm(part));
  else {
    await runQuietly("npx", pnpm(part));
    writeMark({ part, lockfile });
  }
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
};

const source = "--conditions=@swath/source";

/**
 * Memory for young objects in megabytes: Node 24's default is larger, which costs 30 MB per thread and brings a service
 * nothing. And for old ones, up to which there is no full collection: the code that a thread loads at its start takes
 * nearly half of it.
 */
const heap = ["--max-semi-space-size=4", "--initial-old-space-size=64"];

const documents = [source, "apps/docs/scripts/build.ts"];

/** Starts what is to be done beside the service, below the priority of the service. */
const startInBackground = (command, args, options) => {
  const isWindows = process.platform === "win32";
  const child = start(command, args, { stdio: "ignore", shell: isWindows, detached: !isWindows, ...options });
  if (!isWindows) leaders.add(child);
  child.on("error", () => {});
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // it runs at the priority of the service then, or could not be started
  }
  return child;
};

/**
 * Builds the documents where they are older than their sources, beside the service, which serves them as soon as they are
 * there. Where packages that they need are not installed, these come first. While another process installs nothing is done: it
 * builds them, or the next start does.
 */
const refreshDocuments = () => {
  const build = () => startInBackground("node", [...documents, "--if-stale", "--background"]);
  if (readMark()?.part !== "service") return build();
  if (takeLock(lockFile) !== undefined) return undefined;
  return startInBackground("npx", pnpm("documents"), { env: npmEnv }).on("exit", (code) => {
    releaseLock(lockFile);
    if (code !== 0 || isEnding) return;
    writeMark({ part: "documents", lockfile });
    build();
  });
};

/** Builds the map page where its sources have changed since; the service starts without it too. */
const buildExplorer = async () => {
  try {
    const { isBuilt } = await import("../apps/explorer/scripts/sources.mjs");
    if (isBuilt() || isEnding) return;
    console.log("Building the explorer (after changes only, a few seconds) ...");
    const code = await attempt("vite", ["build", "--mode", "start", "--logLevel", "error"], {
      cwd: at("apps/explorer"),
    });
    if (code !== 0 && !isEnding) console.error("The explorer was not built; the service runs without it.");
  } catch (error) {
    console.error(`The explorer was not built; the service runs without it: ${error.message}`);
  }
};

const tasks = {
  setup: async () => {},
  start: async (rest) => {
    const service = [source, ...heap, "apps/api/src/main.ts", ...rest];
    // a worker serves no pages
    if (env.SWATH_ROLE === "worker") return run("node", service);
    // beside the service, which serves pages as soon as they are there; the documents wait until it answers
    const explorer = buildExplorer();
    const onReady = () => explorer.then(() => isEnding || refreshDocuments());
    return run("node", service, { onReady });
  },
  test: async (rest) => {
    await run("turbo", ["run", "build"]);
    // each checker looks at the types that others look at too: more of them than cores are slower
    await run("tsc", ["-p", ".", "--checkers", String(Math.min(4, availableParallelism()))]);
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
  function: (rest) => run("node", ["deploy/function/build.mjs", ...rest]),
  docs: (rest) => run("node", [...documents, ...rest]),
  check: () => run("node", ["scripts/check.mjs"]),
  answers: (rest) => run("node", [source, "test/answers/main.ts", ...rest]),
  bench: async (rest) => {
    await run("turbo", ["run", "build"]);
    await run("node", [source, "--expose-gc", "bench/main.ts", ...rest]);
  },
};

const [task = "start", ...rest] = process.argv.slice(2);
const chosen = tasks[task];
if (chosen === undefined) {
  console.error(`Unknown task "${task}": expected one of ${Object.keys(tasks).join(", ")}.`);
  process.exit(2);
}
const missing = () =>
  task === "setup"
    ? "all"
    : missingPart({
        task,
        lockfile,
        installed: digest(readIfThere(at("node_modules/.pnpm/lock.yaml"))),
        mark: readMark(),
        hasAdditions: needed.every(isThere),
      });
if (missing() !== undefined) {
  await waitForLock(lockFile, (pid) => {
    console.log(`Waiting for process ${pid}, which installs into this checkout (${lockFile}) ...`);
  });
  // the other process may have installed it
  const part = missing();
  if (part !== undefined) await install(part);
  releaseLock(lockFile);
}
await chosen(rest);
