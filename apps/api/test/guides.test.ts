import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addressOf } from "../src/routes/site/guides.ts";
import { renderMarkdown } from "../src/routes/site/markdown.ts";
import { testService } from "./harness.ts";

const root = join(import.meta.dirname, "../../..");
const service = await testService();
const files = ["README.md", "CONTRIBUTING.md", ...globSync("{docs,packages/*,examples/*}/{README,*}.md", { cwd: root })]
  .concat(globSync("docs/{guides,concepts,adr}/*.md", { cwd: root }))
  .filter((file) => /^docs\/|README\.md$|^CONTRIBUTING/.test(file));
const pages = [...new Set(files.map(addressOf))];

test("every guide, concept, decision and README is a page that loads nothing from elsewhere", async () => {
  for (const page of pages) {
    const response = await service.get(page);
    expect([page, response.status]).toEqual([page, 200]);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    const html = await response.text();
    expect(html, page).toMatch(/<title>[^<]{3,}<\/title>/);
    expect(html.match(/<(?:img|script|link)[^>]+(?:src|href)="https?:[^"]+"/g) ?? [], page).toEqual([]);
  }
});

test("every link between the pages leads to a page, and every anchor to a heading", async () => {
  const broken: string[] = [];
  for (const page of ["/docs", ...pages]) {
    const html = await (await service.get(page)).text();
    for (const [, href = ""] of html.matchAll(/(?:href|src)="(\/docs[^"]*|#[^"]*)"/g)) {
      const [path = "", anchor] = href.split("#");
      const target = await service.get(path === "" ? page : path);
      const found = target.status === 200 && (anchor === undefined || (await target.text()).includes(`id="${anchor}"`));
      if (!found) broken.push(`${page} → ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

test("relative links of every document lead to a file of the checkout", () => {
  const broken = [...new Set(files)].flatMap((file) => {
    const links: string[] = [];
    renderMarkdown(readFileSync(join(root, file), "utf8"), (href) => {
      if (!/^(https?:|mailto:|#|\/)/.test(href)) links.push(href.split("#")[0] ?? "");
      return href;
    });
    return links
      .filter((link) => !link.includes("reference/") && globSync(join(file, "..", link), { cwd: root }).length === 0)
      .map((link) => `${file} → ${link}`);
  });
  expect(broken).toEqual([]);
});

test("only documentation is served", async () => {
  for (const path of [
    "/docs/..%2Fpackage.json",
    "/docs/package.json",
    "/docs/guides/..%2f..%2fpackage.json",
    "/docs/%00",
  ])
    expect((await service.get(path)).status, path).toBe(404);
});
