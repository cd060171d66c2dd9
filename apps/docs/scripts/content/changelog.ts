import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Page } from "./page.ts";

/** A change that users notice. */
export interface Change {
  /** Day it was made, `YYYY-MM-DD`; `undefined` for one that says none. */
  readonly date: string | undefined;
  /** Markdown. */
  readonly text: string;
  /** Packages that it touches; with the version that brought it, once it is released. */
  readonly packages: readonly { readonly name: string; readonly version?: string }[];
}

const SERVICE = "@swath/api";

/**
 * The change of a changeset: packages in its front matter, the day at the start of its name.
 *
 * @returns `undefined` for a file that is no changeset, such as a README.
 */
export function readChangeset(name: string, text: string): Change | undefined {
  const [, head = "", body = ""] = /^\s*---\r?\n(.*?)\r?\n?---\r?\n(.*)$/s.exec(text) ?? [];
  const packages = [...head.matchAll(/^["']?([^"':\s]+)["']?\s*:/gm)].map(([, found = ""]) => ({ name: found }));
  if (packages.length === 0 || body.trim() === "") return undefined;
  return { date: /^\d{4}-\d{2}-\d{2}/.exec(name)?.[0], text: body.trim(), packages };
}

/** The changes of a package's CHANGELOG.md: its items that begin with a day, each under a version. */
export function readChangelog(text: string): readonly Change[] {
  const name = /^#\s+(\S+)/m.exec(text)?.[1] ?? "";
  return text.split(/^## /m).flatMap((section, i) => {
    if (i === 0) return [];
    const version = section.split(/\s/, 1)[0] ?? "";
    return section.split(/^- /m).flatMap((item) => {
      const [, date, rest = ""] = /^(\d{4}-\d{2}-\d{2}): (.*)$/s.exec(item) ?? [];
      if (date === undefined) return [];
      const own = rest.split(/^###? /m, 1)[0] ?? "";
      return [{ date, text: own.replace(/^ {2}/gm, "").trim(), packages: [{ name, version }] }];
    });
  });
}

/** One change for those of several packages that are the same. */
function joined(changes: readonly Change[]): readonly Change[] {
  const byText = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.date} ${change.text}`;
    const known = byText.get(key);
    byText.set(key, known === undefined ? change : { ...known, packages: [...known.packages, ...change.packages] });
  }
  return [...byText.values()];
}

const shownName = ({ name, version }: Change["packages"][number]): string => {
  const plain = name === SERVICE ? "service" : name.replace(/^@swath\//, "");
  return version === undefined ? `\`${plain}\`` : `\`${plain}\` ${version}`;
};

/** A day's changes: those of the service first, then by package. */
function inOrder(changes: readonly Change[]): readonly Change[] {
  const keyOf = ({ packages }: Change): string =>
    packages.some(({ name }) => name === SERVICE) ? "" : packages.map(({ name }) => name).join();
  return changes.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The changelog as Markdown, the newest day first; changes without a day stand above all. */
export function changelogMarkdown(changes: readonly Change[]): string {
  const all = joined(changes);
  const days = [...new Set(all.map(({ date = "" }) => date))];
  const sections = days
    .sort((a, b) => (a === "" ? -1 : b === "" ? 1 : b.localeCompare(a)))
    .map((day) => {
      const entries = inOrder(all.filter(({ date = "" }) => date === day)).map(
        ({ packages, text }) => `**${packages.map(shownName).join(", ")}**\n\n${text}`,
      );
      return `## ${day === "" ? "Next" : day}\n\n${entries.join("\n\n")}`;
    });
  const lead =
    "What users of the service and of its packages notice, by the day it was made. A package that names no version has it from its next release on.";
  return `# Changelog\n\n${lead}\n\n${sections.join("\n\n")}\n`;
}

/** The changes of a checkout: changesets that wait for a release, and changelogs of released packages. */
export async function readChanges(root: string): Promise<readonly Change[]> {
  const read = (file: string): Promise<string> => readFile(join(root, file), "utf8");
  const waiting = globSync(".changeset/*.md", { cwd: root }).sort();
  const released = globSync("{packages,apps}/*/CHANGELOG.md", { cwd: root }).sort();
  const changes = await Promise.all([
    ...waiting.map(async (file) => [readChangeset(basename(file), await read(file))]),
    ...released.map(async (file) => readChangelog(await read(file))),
  ]);
  return changes.flat().filter((change) => change !== undefined);
}

/** The page of the changelog. */
export async function changelogPage(root: string): Promise<Page> {
  return { place: "changelog.md", text: changelogMarkdown(await readChanges(root)), matter: { outline: 2 } };
}
