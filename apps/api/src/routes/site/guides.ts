import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { methodsOf, sendFile } from "@swath/web";
import { globSync } from "tinyglobby";
import { ProblemError } from "../../errors/problems.ts";
import type { Router } from "../../http/request/route.ts";
import { changelogMarkdown, readChanges } from "./changelog.ts";
import { renderMarkdown } from "./markdown.ts";
import { escapeHtml, page } from "./pages.ts";
import { DOCUMENTATION_FOLDER as ROOT } from "./served-folders.ts";

/** Files that are documentation. What is not among them is not served. */
const DOCUMENTS = ["docs/**/*.md", "README.md", "CONTRIBUTING.md", "{packages,examples}/*/README.md"];
const PICTURES: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Returns the path at which a file of the checkout is served: `docs/guides/qgis.md` at `/docs/guides/qgis`. */
export function addressOf(file: string): string {
  const place = file
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, "")
    .replace(/(^|\/)index\.md$/, "$1")
    .replace(/\.md$/, "")
    .replace(/\/$/, "");
  return `/docs/${place.startsWith("adr/") ? place : place.toLowerCase()}`;
}

/** Files by the address they are served at. */
function listDocuments(): ReadonlyMap<string, string> {
  const names = [...globSync(DOCUMENTS, { cwd: ROOT }), ...globSync("docs/images/*.{jpg,png,svg}", { cwd: ROOT })];
  return new Map(names.map((name) => name.replaceAll("\\", "/")).map((name) => [addressOf(name), name]));
}

/** The changelog, which no file holds: it is made from the changes of all packages. */
const CHANGELOG = "/docs/changelog";

/** Time for which a list of files is kept, milliseconds: the reference may be made while the service runs. */
const LIST_MS = 2000;
let listed: { readonly files: ReadonlyMap<string, string>; readonly at: number } | undefined;

function documents(): ReadonlyMap<string, string> {
  if (listed === undefined || performance.now() - listed.at > LIST_MS) {
    listed = { files: listDocuments(), at: performance.now() };
  }
  return listed.files;
}

/** Returns the resolver of links in `file`: to a page or image that is served, to another site, or to nothing. */
function locator(file: string, known: ReadonlyMap<string, string>): (href: string) => string | undefined {
  return (href) => {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
    const [path = "", anchor] = href.split("#");
    const target = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, "");
    const found = [target, `${target}/README.md`, `${target}/index.md`].find(
      (name) => known.get(addressOf(name)) === name,
    );
    return found === undefined ? undefined : addressOf(found) + (anchor === undefined ? "" : `#${anchor}`);
  };
}

interface Group {
  readonly title: string;
  readonly pattern: string;
}

const GROUPS: readonly Group[] = [
  { title: "Guides", pattern: "docs/guides/*.md" },
  { title: "Concepts", pattern: "docs/concepts/*.md" },
  { title: "The service", pattern: "docs/*.md" },
  { title: "Examples", pattern: "examples/*/README.md" },
  { title: "Packages", pattern: "packages/*/README.md" },
  { title: "Decisions", pattern: "docs/adr/*.md" },
];

async function titleOf(file: string): Promise<string> {
  const text = await readFile(`${ROOT}/${file}`, "utf8");
  return /^#\s+(.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? file;
}

/** Links to all guides, concepts, packages and decisions, as a list of HTML. */
export async function guideList(): Promise<string> {
  const parts = await Promise.all(
    GROUPS.map(async ({ title, pattern }) => {
      const files = globSync(pattern, { cwd: ROOT }).sort();
      if (files.length === 0) return "";
      const links = await Promise.all(
        files.map(async (file) => `<li><a href="${addressOf(file)}">${escapeHtml(await titleOf(file))}</a></li>`),
      );
      return `<h3>${title}</h3><ul>${links.join("")}</ul>`;
    }),
  );
  // the reference is made from the sources on request, and there may be none yet
  const reference = documents().has("/docs/reference")
    ? ' · <a href="/docs/reference">API reference of the packages</a>'
    : "";
  return `<p><a href="/docs/readme">First steps</a>${reference} · <a href="/docs/changelog">Changelog</a> · <a href="/docs/contributing">Contributing</a></p>${parts.join("")}`;
}

function documentPage(title: string, html: string): Response {
  const links = `<a href="/docs">Documentation</a> · <a href="${CHANGELOG}">Changelog</a>`;
  return page(title, `<nav aria-label="Up">${links}</nav>\n${html}`);
}

/** The documentation of the checkout as pages: guides, concepts, the reference of the packages, decisions. */
export function registerGuides({ app, paths }: Router): void {
  const route = paths.add("/docs/{page*}", methodsOf("get"));
  app.get(route.pattern, async (c) => {
    const address = `/docs/${(route.read(c.req.path).page ?? "").replace(/\/$/, "")}`;
    const known = documents();
    if (address === CHANGELOG) {
      const { title, html } = renderMarkdown(
        changelogMarkdown(await readChanges(ROOT)),
        locator("CHANGELOG.md", known),
      );
      return documentPage(title, html);
    }
    const file = known.get(address);
    if (file === undefined) throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
    const type = PICTURES[posix.extname(file)];
    if (type !== undefined) {
      return sendFile(c, `${ROOT}/${file}`, { "Content-Type": type, "Cache-Control": "public, max-age=3600" });
    }
    const { title, html } = renderMarkdown(await readFile(`${ROOT}/${file}`, "utf8"), locator(file, known));
    return documentPage(title, html);
  });
}
