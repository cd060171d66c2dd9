#!/usr/bin/env node
// Publishes every package whose version the registry does not have: built, packed by pnpm (scripts/pack.mjs), sent by npm with
// provenance. Then tags. --dry-run does all but ask, send and tag.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pack, publishedPackages, root } from "./pack.mjs";

const { GITHUB_ACTIONS } = process.env;
const dry = process.argv.includes("--dry-run");
const env = { ...process.env, PATH: join(root, "node_modules", ".bin") + delimiter + process.env.PATH };

const run = (command, args, stdio = "inherit") => spawnSync(command, args, { cwd: root, env, stdio, encoding: "utf8" });
const demand = (command, args) => {
  const { status } = run(command, args);
  if (status !== 0) process.exit(status ?? 1);
};

const isPublished = ({ name, version }) => {
  const { status, stdout } = run("npm", ["view", `${name}@${version}`, "version"], "pipe");
  return status === 0 && stdout.trim() === version;
};

demand("turbo", ["run", "build"]);
const folder = mkdtempSync(join(tmpdir(), "swath-publish-"));
try {
  for (const manifest of publishedPackages()) {
    if (!dry && isPublished(manifest)) continue;
    // npm signs where the file was made; only a workflow that may request an identity can
    const provenance = GITHUB_ACTIONS === "true" && !dry ? ["--provenance"] : [];
    const how = dry ? ["--dry-run"] : [];
    const { filename } = await pack(manifest, folder);
    demand("npm", ["publish", filename, "--access", "public", ...provenance, ...how]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!dry) demand("changeset", ["tag"]);
