#!/usr/bin/env node
// Makes what the Dockerfile makes, without Docker, and runs it as Docker would: `node scripts/image.mjs`.
// The steps are read from the Dockerfile. Those of the stage `build` are the checkout's own build; those of `production` run in
// a root of their own, with this machine's programs read-only; the last stage is the command, run by an account without rights
// whose file system is read-only except /data and /tmp. Needs root on Linux, for mounts that end with it.
//   make FOLDER          carries out the steps of `production` there
//   run FOLDER [NAME=VALUE...]  starts the last stage; signals are passed on, and its exit code is this one's
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Folders of this machine that the image's base would bring. */
const BASE = ["usr", "etc", "dev", "proc"];
const LINKS = ["bin", "lib", "lib64", "sbin"];

/** Stages of the Dockerfile by name, the last one as `""`: their steps as `[instruction, text]`. */
export function readStages(text) {
  const stages = new Map();
  let steps;
  for (const line of text.replace(/\\\n/g, " ").split("\n")) {
    const [, instruction, rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (instruction === undefined) continue;
    if (instruction === "FROM") {
      steps = [];
      stages.set(/ AS (\S+)/.exec(rest)?.[1] ?? "", steps);
    } else steps.push([instruction, rest.replace(/\s+/g, " ").trim()]);
  }
  return stages;
}

const quote = (word) => `'${String(word).replaceAll("'", `'\\''`)}'`;

/** A shell script that mounts this machine below `folder` and runs `command` there, in mounts of its own. */
function inRoot(folder, command) {
  const mounts = BASE.map(
    (name) => `mkdir -p ${quote(join(folder, name))}; mount --rbind /${name} ${quote(join(folder, name))}`,
  );
  const readOnly = ["usr", "etc"].map((name) => `mount -o remount,bind,ro ${quote(join(folder, name))}`);
  const links = LINKS.map(
    (name) => `[ -e ${quote(join(folder, name))} ] || ln -s usr/${name} ${quote(join(folder, name))}`,
  );
  // a mount of its own, so that it can be made read-only
  const own = `mount --bind ${quote(folder)} ${quote(folder)}`;
  return ["set -e", "mount --make-rprivate /", own, ...mounts, ...readOnly, ...links, command].join("\n");
}

/** Copies what a COPY names: from the checkout, or from the folder of another stage. */
function copy(text, folder, workdir) {
  const words = text.split(" ").filter((word) => !word.startsWith("--"));
  const isBuilt = text.startsWith("--from=");
  const target = words.pop();
  const to = resolve(join(folder, workdir), target.replace(/^\//, `${folder}/`));
  // the stage `build` is the checkout itself, as it was built here
  const sources = words.map((word) => join(root, word.replace(/^\/swath\/?/, "")));
  for (const source of sources) {
    const into = sources.length > 1 || target === "./" ? join(to, source.slice(dirname(source).length)) : to;
    mkdirSync(dirname(into), { recursive: true });
    // as .dockerignore has it for the context; what another stage made is copied whole
    const ignored = isBuilt
      ? /\/node_modules(\/|$)/
      : /\/(node_modules|dist|dist-static|coverage|\.turbo)(\/|$)|\.tsbuildinfo$/;
    cpSync(source, into, { recursive: true, filter: (path) => !ignored.test(path.slice(root.length - 1)) });
  }
}

function make(folder) {
  rmSync(folder, { recursive: true, force: true });
  let workdir = "/";
  for (const [instruction, text] of readStages(readFileSync(join(root, "Dockerfile"), "utf8")).get("production")) {
    if (instruction === "WORKDIR") {
      workdir = text;
      mkdirSync(join(folder, workdir), { recursive: true });
    } else if (instruction === "COPY") copy(text, folder, workdir);
    else if (instruction === "RUN") {
      for (const each of ["tmp", "root"]) mkdirSync(join(folder, each), { recursive: true });
      // npm's settings and cache are those of whoever runs this
      const home = process.env.HOME ?? "/root";
      const settings = `mkdir -p ${quote(join(folder, home))}; mount --bind ${quote(home)} ${quote(join(folder, home))}`;
      const node = `export PATH=${quote(`${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`)}; export NODE_ENV=production`;
      const bind = `mkdir -p ${quote(join(folder, dirname(process.execPath)))}; mount --bind ${quote(dirname(process.execPath))} ${quote(join(folder, dirname(process.execPath)))}`;
      const step = `chroot ${quote(folder)} /bin/bash -c ${quote(`${node}; cd ${workdir} && ${text}`)}`;
      const { status } = spawnSync("unshare", ["-m", "bash", "-c", inRoot(folder, `${settings}\n${bind}\n${step}`)], {
        stdio: "inherit",
      });
      if (status !== 0) process.exit(status ?? 1);
    } else throw new Error(`The stage "production" has a step ${instruction}, which is not known here.`);
  }
}

function run(folder, variables) {
  const steps = readStages(readFileSync(join(root, "Dockerfile"), "utf8")).get("");
  const valuesOf = (name) => steps.filter(([instruction]) => instruction === name).map(([, text]) => text);
  const environment = [...valuesOf("ENV").flatMap((text) => text.split(" ")), ...variables];
  const [program, ...args] = JSON.parse(valuesOf("CMD")[0]);
  if (program !== "node" || valuesOf("USER")[0] !== "node")
    throw new Error("Expected the command node, run by the account node.");
  for (const each of ["data", "tmp", "opt/node"]) mkdirSync(join(folder, each), { recursive: true });
  const node = join(folder, "opt/node/node");
  if (!existsSync(node)) cpSync(process.execPath, node);
  // uid 1000 is `node` in the image
  const account = "setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all";
  const set = environment.map(quote).join(" ");
  const start = `cd ${valuesOf("WORKDIR")[0]} && exec ${[program, ...args].map(quote).join(" ")}`;
  const command = [
    `mount -t tmpfs -o uid=1000,gid=1000,mode=700 none ${quote(join(folder, "data"))}`,
    `mount -t tmpfs -o mode=1777 none ${quote(join(folder, "tmp"))}`,
    `mount -o remount,bind,ro ${quote(folder)}`,
    `cd ${quote(folder)}`,
    `exec chroot ${quote(folder)} ${account} env -i PATH=/opt/node:/usr/bin ${set} bash -c ${quote(start)}`,
  ].join("\n");
  const child = spawn("unshare", ["-m", "bash", "-c", inRoot(folder, command)], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 143)));
}

const [task, folder, ...variables] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (task === "make" && folder !== undefined) make(resolve(folder));
  else if (task === "run" && folder !== undefined) run(resolve(folder), variables);
  else {
    console.error("Usage: node scripts/image.mjs make FOLDER | run FOLDER [NAME=VALUE...]");
    process.exit(2);
  }
}
