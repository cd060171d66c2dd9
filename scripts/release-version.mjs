#!/usr/bin/env node
// Turns the changesets that wait into versions and changelogs: `npm run release:version`. The first release, before which no
// package has a changelog, makes every package 0.1.0; later ones follow the changesets. Nothing is committed.
//   --in FOLDER  works on a copy of the repository there, and leaves the lockfile alone
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { groupNewest } from "./changelogs.mjs";
import { root as here, publishedPackages } from "./pack.mjs";

const at = process.argv.indexOf("--in");
const root = at < 0 ? here : resolve(process.argv[at + 1] ?? "");
const env = { ...process.env, PATH: join(here, "node_modules", ".bin") + delimiter + process.env.PATH };
const demand = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};
const edit = (path, change) => writeFileSync(path, change(readFileSync(path, "utf8")));
const changelogOf = ({ folder }) => join(folder, "CHANGELOG.md");

demand("node", [join(root, "scripts/date-changesets.mjs")]);
const packages = publishedPackages(root);
if (!packages.some((each) => existsSync(changelogOf(each)))) {
  // whatever a package was called before anybody could install it, the first release of all is 0.1.0
  for (const { folder } of packages) {
    edit(join(folder, "package.json"), (text) => text.replace(/"version": "[^"]*"/, '"version": "0.0.0"'));
  }
  const day = new Date().toISOString().slice(0, 10);
  const head = packages.map(({ name }) => `"${name}": minor`).join("\n");
  writeFileSync(join(root, `.changeset/${day}-first-release.md`), `---\n${head}\n---\n\nFirst release.\n`);
}
if (!readdirSync(join(root, ".changeset")).some((name) => /^\d.*\.md$/.test(name))) {
  console.log("No change waits for a release.");
  process.exit(0);
}
demand("changeset", ["version"]);

for (const each of publishedPackages(root)) {
  if (!existsSync(changelogOf(each))) continue;
  // notes that were written by hand stand above what was collected
  const notes = each.name === "@swath/api" ? join(root, `docs/releases/${each.version}.md`) : "";
  const curated = existsSync(notes) ? readFileSync(notes, "utf8").replace(/^# .*\n/, "") : undefined;
  edit(changelogOf(each), (text) => groupNewest(text, curated));
}
const service = publishedPackages(root).find(({ name }) => name === "@swath/api");
edit(join(root, "deploy/kubernetes/swath/Chart.yaml"), (text) =>
  text.replace(/^(version|appVersion): .*$/gm, `$1: ${service?.version}`),
);
if (at < 0) demand("pnpm", ["install", "--lockfile-only"]);
