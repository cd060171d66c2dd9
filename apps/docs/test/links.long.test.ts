import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { find, placeOf, WRITTEN } from "../scripts/content/paths.ts";
import { type BuiltPage, buildSite, builtPages, DIST } from "./built-site.ts";

let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  await buildSite();
  pages = new Map(builtPages().map(({ address, html }: BuiltPage) => [address, html]));
}, 900_000);

test("every guide, concept, decision and README is a page with a title", { tags: ["Q8"] }, () => {
  for (const file of find(WRITTEN)) {
    const address = `/docs/${placeOf(file).replace(/\.md$/, "")}`;
    expect(pages.get(address) ?? "", address).toMatch(/<title>[^<]{3,}<\/title>/);
  }
});

test("no page loads anything from elsewhere, and none has a script of its own", { tags: ["Q8"] }, () => {
  for (const [address, html] of pages) {
    expect(html.match(/<(?:img|script|link)[^>]+(?:src|href)="(?:https?:)?\/\/[^"]+"/g) ?? [], address).toEqual([]);
    expect(html.match(/<script[^>]*>[^<]/g) ?? [], address).toEqual([]);
  }
});

/** Whether the site has what a link leads to. */
function isThere(from: string, href: string): boolean {
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? from : path.replace(/\/$/, "");
  const html = pages.get(target);
  if (html === undefined) return existsSync(join(DIST, target.replace(/^\/docs/, ""))) && anchor === undefined;
  return anchor === undefined || anchor === "" || html.includes(`id="${decodeURIComponent(anchor)}"`);
}

test("every link between the pages leads to a page or file, and every anchor to a place in it", () => {
  const broken: string[] = [];
  for (const [address, html] of pages) {
    const links = html.matchAll(/<(?:a|img|link|script)\s[^>]*?(?:href|src)="(\/docs[^"]*|#[^"]*)"/g);
    for (const [, href = ""] of links)
      if (!isThere(address, href.replaceAll("&amp;", "&"))) broken.push(`${address} → ${href}`);
  }
  expect([...new Set(broken)]).toEqual([]);
});

test("addresses that were served before there was a site are pages still", () => {
  for (const path of [
    "readme",
    "contributing",
    "changelog",
    "reference",
    "reference/cog",
    "packages",
    "packages/cog",
    "examples/ndvi-curve",
    "guides/qgis",
    "concepts/masks",
    "adr/0001-one-toolchain-from-the-lockfile",
    "operations",
    "access",
    "licenses",
    "performance",
    "conformance",
    "architecture",
  ])
    expect(pages.has(`/docs/${path}`), path).toBe(true);
  expect(existsSync(join(DIST, "images/landscape.jpg"))).toBe(true);
});
