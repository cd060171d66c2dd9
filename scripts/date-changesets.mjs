#!/usr/bin/env node
// Names changesets by the day they were written, `2026-11-22-name.md`: the changelog is dated by it, in releases too. Those
// that have no date get the day of the commit that added them, today where there is none. --check only says which.
import { spawnSync } from "node:child_process";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../.changeset", import.meta.url));
const undated = readdirSync(folder).filter(
  (name) => name.endsWith(".md") && name !== "README.md" && !/^\d{4}-\d{2}-\d{2}-/.test(name),
);

if (process.argv.includes("--check")) {
  for (const name of undated) console.error(`.changeset/${name} has no date: node scripts/date-changesets.mjs`);
  process.exit(undated.length === 0 ? 0 : 1);
}

/** The day a file was added, by the history that is here. */
function dayAdded(name) {
  const options = ["log", "--diff-filter=A", "--format=%as", "-1", "--", name];
  const { stdout } = spawnSync("git", options, { cwd: folder, encoding: "utf8" });
  return stdout?.trim() || new Date().toISOString().slice(0, 10);
}

for (const name of undated) {
  const dated = `${dayAdded(name)}-${name}`;
  renameSync(join(folder, name), join(folder, dated));
  console.log(`${name} → ${dated}`);
}
