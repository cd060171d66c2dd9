#!/usr/bin/env node
// Publishes every package whose version the registry does not have: built, packed by pnpm (which writes the versions of
// siblings in), sent by npm with provenance. Then tags. --dry-run does all but ask, send and tag.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { GITHUB_ACTIONS } = process.env;
const dry = process.argv.includes("--dry-run");
const env = { ...process.env, PATH: join(root, "node_modules", ".bin") + delimiter + process.env.PATH };

const run = (command, args, cwd, stdio = "inherit") => spawnSync(command, args, { cwd, env, stdio, encoding: "utf8" });
const demand = (command, args, cwd, stdio) => {
  const { status, stdout } = run(command, args, cwd, stdio);
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
};

const packages = ["packages", "apps"]
  .flatMap((parent) => readdirSync(join(root, parent)).map((folder) => join(root, parent, folder)))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter((manifest) => manifest.private !== true);

const isPublished = ({ name, version }) => {
  const { status, stdout } = run("npm", ["view", `${name}@${version}`, "version"], root, "pipe");
  return status === 0 && stdout.trim() === version;
};

demand("turbo", ["run", "build"], root);
const folder = mkdtempSync(join(tmpdir(), "swath-publish-"));
try {
  for (const manifest of packages) {
    if (!dry && isPublished(manifest)) continue;
    const packed = demand("pnpm", ["pack", "--json", "--pack-destination", folder], manifest.folder, "pipe");
    // npm signs where the file was made; only a workflow that may request an identity can
    const provenance = GITHUB_ACTIONS === "true" ? ["--provenance"] : [];
    const how = dry ? ["--dry-run"] : [];
    demand("npm", ["publish", JSON.parse(packed).filename, "--access", "public", ...provenance, ...how], root);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!dry) demand("changeset", ["tag"], root);
