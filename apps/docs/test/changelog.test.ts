import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import {
  type Change,
  changelogMarkdown,
  changelogPage,
  readChangelog,
  readChanges,
  readChangeset,
} from "../scripts/content/changelog.ts";

const root = join(import.meta.dirname, "../../..");
const files = globSync(".changeset/*.md", { cwd: root })
  .filter((file) => basename(file) !== "README.md")
  .sort();

/** The functions by which a release writes the packages' changelogs. */
interface Lines {
  getReleaseLine(changeset: { readonly id: string; readonly summary: string }): string;
  getDependencyReleaseLine(
    changesets: readonly unknown[],
    dependencies: readonly { readonly name: string; readonly newVersion: string }[],
  ): string;
}
const { default: changelog } = (await import(pathToFileURL(join(root, ".changeset/changelog.mjs")).href)) as {
  readonly default: Lines;
};

async function waiting(): Promise<readonly Change[]> {
  const texts = files.map(async (file) => readChangeset(basename(file), await readFile(join(root, file), "utf8")));
  return (await Promise.all(texts)).filter((change) => change !== undefined);
}

/** Writes files below a new folder. */
async function checkout(texts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swath-changelog-"));
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

test("the page lists every change under its day, the newest day first", { tags: ["Q13"] }, async () => {
  expect(await waiting()).toHaveLength(files.length);
  const logs = globSync("{packages,apps}/*/CHANGELOG.md", { cwd: root });
  const released = await Promise.all(logs.map(async (file) => readChangelog(await readFile(join(root, file), "utf8"))));
  const changes = [...(await waiting()), ...released.flat()];
  const { place, text: page } = await changelogPage(root);
  expect(place).toBe("changelog.md");
  const days = [...page.matchAll(/^## (\d{4}-\d{2}-\d{2})$/gm)].map(([, day]) => day);
  expect(days).toEqual([...new Set(changes.map(({ date }) => date))].sort().reverse());
  for (const { date, packages, text } of changes) {
    const [, section = ""] = page.split(`## ${date}\n`);
    const own = section.split(/^## /m)[0] ?? "";
    expect(own).toContain(text);
    for (const { name } of packages)
      expect(own).toContain(`\`${name === "@swath/api" ? "service" : name.replace("@swath/", "")}\``);
  }
});

test("the name of every changeset begins with its day", () => {
  execFileSync(process.execPath, [join(root, "scripts/date-changesets.mjs"), "--check"], { stdio: "pipe" });
});

test("a release keeps day, text and packages: the page of an installed image says the same, with versions", {
  tags: ["Q13"],
}, async () => {
  const changes = (await readChanges(root)).map((change) => ({
    ...change,
    packages: change.packages.map(({ name }) => ({ name })),
  }));
  const names = [...new Set(changes.flatMap(({ packages }) => packages.map(({ name }) => name)))];
  const texts = names.map((name) => {
    const own = changes.filter(({ packages }) => packages.some((each) => each.name === name));
    const lines = own.map(({ date, text }) => changelog.getReleaseLine({ id: `${date}-name`, summary: text }));
    const others = changelog.getDependencyReleaseLine([], [{ name: "@swath/raster", newVersion: "0.3.0" }]);
    const log = `# ${name}\n\n## 0.2.0\n\n### Minor Changes\n\n${lines.join("\n")}\n\n### Patch Changes\n\n${others}\n\n## 0.1.0\n\n- Old.\n`;
    const folder = name === "@swath/api" ? "apps/api" : name.replace("@swath/", "packages/");
    return [`${folder}/CHANGELOG.md`, log] as const;
  });
  const image = await checkout(Object.fromEntries(texts));
  try {
    const plain = changelogMarkdown(changes);
    const released = changelogMarkdown(await readChanges(image));
    const order = (text: string): string[] => text.replaceAll(" 0.2.0", "").split("\n").sort();
    const listed = (text: string): string =>
      text.replaceAll(/^\*\*(.+)\*\*$/gm, (_, all: string) => all.split(", ").sort().join());
    expect(order(listed(released))).toEqual(order(listed(plain)));
    expect(released).toMatch(/^\*\*`\w+` 0\.2\.0/m);
  } finally {
    await rm(image, { recursive: true });
  }
});

test("what is released and what waits stand together, and a change of several packages once", async () => {
  const folder = await checkout({
    ".changeset/README.md": "# Changesets\n\nNo change.\n",
    ".changeset/2026-11-23-new.md": '---\n"@swath/cog": minor\n"@swath/api": patch\n---\n\nA new one.\n',
    "packages/cog/CHANGELOG.md":
      "# @swath/cog\n\n## 0.1.0\n\n### Minor Changes\n\n- 2026-11-22: Two lines,\n  and a list:\n\n  - an item\n",
    "packages/query/CHANGELOG.md":
      "# @swath/query\n\n## 0.1.1\n\n- 2026-11-22: Two lines,\n  and a list:\n\n  - an item\n- Undated.\n",
  });
  try {
    const text = changelogMarkdown(await readChanges(folder));
    expect(text.slice(text.indexOf("## "))).toBe(
      "## 2026-11-23\n\n**`cog`, `service`**\n\nA new one.\n\n## 2026-11-22\n\n**`cog` 0.1.0, `query` 0.1.1**\n\nTwo lines,\nand a list:\n\n- an item\n",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("files that hold no change give none", () => {
  for (const text of ["", "# Changesets", "---\n---\n\ntext", '---\n"@swath/cog": minor\n---\n'])
    expect(readChangeset("2026-11-22-a.md", text)).toBeUndefined();
  expect(readChangelog("")).toEqual([]);
  expect(readChangeset("a.md", '---\n"@swath/cog": minor\n---\n\nText.')).toEqual({
    date: undefined,
    text: "Text.",
    packages: [{ name: "@swath/cog" }],
  });
});
