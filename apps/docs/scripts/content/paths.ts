import { globSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url));
/** This app. */
export const APP: string = fileURLToPath(new URL("../../", import.meta.url));

/** Documents that people write, as patterns below the checkout. */
export const WRITTEN: readonly string[] = [
  "docs/**/*.md",
  "README.md",
  "CONTRIBUTING.md",
  "{packages,examples}/*/README.md",
];
/** What stands in a document besides text. */
export const FILES: readonly string[] = ["docs/**/*.{jpg,png,svg,ipynb}"];

/** Finds files below the checkout, with `/` on every system, sorted. */
export function find(patterns: readonly string[]): readonly string[] {
  const isOwn = (name: string): boolean => !name.startsWith("docs/reference/");
  return globSync([...patterns], { cwd: ROOT })
    .map((name) => name.replaceAll("\\", "/"))
    .filter(isOwn)
    .sort();
}

/**
 * Returns the place of a document in the site: `docs/guides/qgis.md` is `guides/qgis.md`, `packages/cog/README.md` is
 * `packages/cog.md`. Decisions keep the case of their names.
 */
export function placeOf(file: string): string {
  const place = file.replace(/^docs\//, "").replace(/\/README\.md$/, ".md");
  return place.startsWith("adr/") ? place : place.toLowerCase();
}

/** Sources of code that are no part of the site, as readers of the repository see them. */
const REPOSITORY = "https://github.com/swath-imagery/swath";

/**
 * Resolves links that are written in `file`, relative to it, to what the site holds.
 *
 * @param places of all documents by their file
 * @returns an address below the site's base, a page of the repository for a file that the site has not, and `href` itself
 *   where it is an address already.
 */
export function linkFrom(file: string, places: ReadonlyMap<string, string>): (href: string) => string {
  return (href) => {
    if (/^([a-z]+:|#|\/)/i.test(href)) return href;
    const [path = "", anchor] = href.split("#");
    const target = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, "");
    const after = anchor === undefined ? "" : `#${anchor}`;
    const found = [target, `${target}/README.md`, `${target}/index.md`].find((name) => places.has(name));
    if (found !== undefined) return `/${places.get(found)}${after}`;
    // pages that the build makes have no file of their own
    const made = /^docs\/((?:reference|errors|changelog|http-api)\b.*)/.exec(target)?.[1];
    if (made !== undefined) return `/${made}${after}`;
    return `${REPOSITORY}/blob/main/${target}${after}`;
  };
}

/** The anchor of a heading, as code hosts make it: "Two commands" is `two-commands`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}
