import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readChangelog, readChangeset } from "../apps/docs/scripts/content/changelog.ts";
import { groupNewest, groupOf, lineOf } from "../scripts/changelogs.mjs";
import { publishedPackages } from "../scripts/pack.mjs";
import { ROOT } from "./workspace.ts";

const COPIED = [
  "package.json",
  "pnpm-workspace.yaml",
  ".changeset/{README.md,changelog.mjs,config.json}",
  "scripts/*.mjs",
  "docs/releases/*",
  "deploy/kubernetes/swath/Chart.yaml",
  "{packages,apps,examples}/*/package.json",
];

/** Changes that wait for the first release. */
const WAITING: Readonly<Record<string, string>> = {
  "2026-01-02-windows.md":
    '---\n"@swath/cog": minor\n---\n\n`readWindow` reads a window. It asks for the bytes it needs.\n',
  "2026-01-03-names.md": '---\n"@swath/engine": minor\n---\n\n`recall` is called `find`.\n',
  "2026-01-03-rows.md":
    '---\n"@swath/raster": patch\n"@swath/api": patch\n---\n\nThe last row of a tile is whole.\n\n- In degrees too.\n',
};

/** A copy of what a release reads and writes, as it was before the first one, with changes that wait for it. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), "swath-release-"));
  for (const file of globSync(COPIED, { cwd: ROOT })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  for (const [name, text] of Object.entries(WAITING)) writeFileSync(join(folder, ".changeset", name), text);
  git(folder, "init", "-q");
  commit(folder);
  return folder;
}
const git = (cwd: string, ...args: readonly string[]): void => {
  const identity = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@a.example",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@a.example",
  };
  execFileSync("git", [...args], { cwd, stdio: "pipe", env: { ...process.env, ...identity } });
};
const commit = (folder: string): void => {
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "a state");
};
const release = (folder: string): void => {
  execFileSync(process.execPath, [join(ROOT, "scripts/release-version.mjs"), "--in", folder], { stdio: "pipe" });
};
const read = (folder: string, ...path: readonly string[]): string => readFileSync(join(folder, ...path), "utf8");
/** The newest section of a changelog, and its lines that can be skimmed. */
const newest = (changelog: string): string => changelog.split(/^## /m)[1] ?? "";
const skimmed = (section: string): readonly string[] =>
  (section.split("### In full")[0] ?? "").split("\n").filter((line) => line.startsWith("- "));

describe("the first release", () => {
  let folder: string;
  const changesets = Object.entries(WAITING).flatMap(([name, text]) => readChangeset(name, text) ?? []);
  beforeAll(() => {
    folder = checkout();
    release(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("makes every package 0.1.0, and leaves no changeset", () => {
    const versions = publishedPackages(folder).map(({ name, version }) => `${name} ${version}`);
    expect(versions.length).toBeGreaterThan(25);
    expect(versions.filter((each) => !each.endsWith(" 0.1.0"))).toEqual([]);
    expect(globSync(".changeset/2*.md", { cwd: folder })).toEqual([]);
    expect(read(folder, "deploy/kubernetes/swath/Chart.yaml")).toMatch(/^version: 0\.1\.0\nappVersion: 0\.1\.0$/m);
  });

  test("gives each package a changelog of lines that can be skimmed, under Added, Changed and Fixed", () => {
    for (const { folder: at, name } of publishedPackages(folder)) {
      const section = newest(read(at, "CHANGELOG.md"));
      expect(section, name).toMatch(/^0\.1\.0\n/);
      expect(section, name).toMatch(/^### Added$/m);
    }
    expect(skimmed(newest(read(folder, "packages/cog/CHANGELOG.md")))).toContain("- `readWindow` reads a window.");
    expect(newest(read(folder, "packages/engine/CHANGELOG.md"))).toMatch(
      /### Changed\n\n- `recall` is called `find`\./,
    );
    expect(newest(read(folder, "packages/raster/CHANGELOG.md"))).toMatch(
      /### Fixed\n\n- The last row of a tile is whole\./,
    );
  });

  test("shows the service's own notes first, as they were written", () => {
    const [, notes = ""] = /^# .*\n+([\s\S]*)/.exec(read(ROOT, "docs/releases/0.1.0.md")) ?? [];
    expect(newest(read(folder, "apps/api/CHANGELOG.md"))).toContain(notes.trim());
  });

  test("keeps every change in full with its day, where the service's page finds it", () => {
    for (const { text, date, packages } of changesets) {
      for (const { name } of packages) {
        const at = publishedPackages(folder).find((each) => each.name === name)?.folder ?? "";
        const found = readChangelog(read(at, "CHANGELOG.md")).filter(
          (change) => change.text === text && change.date === date,
        );
        expect(found, `${name}: ${text}`).toHaveLength(1);
        expect(found[0]?.packages).toEqual([{ name, version: "0.1.0" }]);
      }
    }
  });

  test("is followed by releases that move what their changesets name, and what needs it, and leave its own section", () => {
    commit(folder);
    const before = read(folder, "packages/cog/CHANGELOG.md");
    writeFileSync(
      join(folder, ".changeset/quick-windows.md"),
      '---\n"@swath/cog": minor\n---\n\nFixed: Windows of a file that ends early are read.\n',
    );
    release(folder);
    const versions = Object.fromEntries(publishedPackages(folder).map(({ name, version }) => [name, version]));
    expect(versions).toMatchObject({
      "@swath/cog": "0.2.0",
      "@swath/engine": "0.1.1",
      "@swath/http": "0.1.0",
      "@swath/problem": "0.1.0",
    });
    const after = read(folder, "packages/cog/CHANGELOG.md");
    expect(newest(after)).toMatch(
      /^0\.2\.0\n\n### Fixed\n\n- Windows of a file that ends early are read\.\n\n### In full\n\n- \d{4}-\d\d-\d\d: Fixed: Windows/,
    );
    expect(after).toContain(before.slice(before.indexOf("## 0.1.0")));
    expect(newest(read(folder, "packages/engine/CHANGELOG.md"))).toContain("Needs `@swath/cog` 0.2.0");
  });
});

test("the changelogs of packages can be skimmed: short lines, under headings in one order", () => {
  const released = publishedPackages(ROOT).filter(({ folder }) => existsSync(join(folder, "CHANGELOG.md")));
  expect(released.length).toBeGreaterThan(25);
  for (const { folder, name } of released) {
    const section = newest(read(folder, "CHANGELOG.md"));
    const headings = [...section.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    const order = ["Added", "Changed", "Fixed", "Known limits", "In full"];
    expect(headings, name).toEqual(order.filter((heading) => headings.includes(heading)));
    expect(skimmed(section).length, name).toBeGreaterThan(0);
    if (name === "@swath/api") continue;
    for (const line of skimmed(section)) expect(line.length, line).toBeLessThanOrEqual(190);
  }
});

test.each([
  [{ bump: "minor", text: "Fixed: a tile is whole." }, "Fixed"],
  [{ bump: "patch", text: "Tiles are whole." }, "Fixed"],
  [{ bump: "minor", text: "`recall` is called `find`." }, "Changed"],
  [{ bump: "major", text: "Tiles." }, "Changed"],
  [{ bump: "minor", text: "`swath tile` writes a tile." }, "Added"],
] as const)("%j is %s", (change, group) => {
  expect(groupOf(change)).toBe(group);
});

test.each([
  ["One thing. Another thing.", "One thing."],
  ["Of `a.b` and v1.2 the first is taken: see there. More.", "Of `a.b` and v1.2 the first is taken: see there."],
  ["Added: A tile\nof two lines.\n\nMore.", "A tile of two lines."],
  ["no full stop", "no full stop"],
])("the line of %j is %j", (text, line) => {
  expect(lineOf(text)).toBe(line);
});

test("a long sentence is cut between words, and not within code", () => {
  const cut = lineOf(`${"word ".repeat(30)}\`${"code ".repeat(20)}\` end.`);
  expect(cut).toBe(`${"word ".repeat(30).trim()} …`);
});

test("a section that is grouped stays as it is, and so do those before the newest", () => {
  const old = "## 0.1.0\n\n### Minor Changes\n\n- old\n";
  const made = groupNewest(
    `# @swath/a\n\n## 0.2.0\n\n### Minor Changes\n\n- 2026-12-01: A.\n\n### Patch Changes\n\n- 2026-12-02: B.\n- Updated dependencies\n  - @swath/b@1.0.0\n\n${old}`,
  );
  expect(made).toBe(
    `# @swath/a\n\n## 0.2.0\n\n### Added\n\n- A.\n\n### Fixed\n\n- B.\n\nNeeds \`@swath/b\` 1.0.0.\n\n### In full\n\n- 2026-12-01: A.\n- 2026-12-02: B.\n\n${old}`,
  );
  expect(groupNewest(made)).toBe(made);
});
