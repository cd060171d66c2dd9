import type { DefaultTheme, MarkdownRenderer } from "vitepress";
import { FILES, find, linkFrom, placeOf, WRITTEN } from "../../scripts/content/paths.ts";
import { isPersonal } from "./theme/personal-examples.ts";

const places = new Map(find([...WRITTEN, ...FILES]).map((file) => [file, placeOf(file)]));
const files = new Map([...places].map(([file, place]) => [place, file]));

/**
 * Makes links of written documents, which lead from file to file, lead from page to page; and shows braces that the
 * renderer of pages would compute.
 */
export function servedFromPages(md: MarkdownRenderer): void {
  md.core.ruler.push("swath-examples", ({ tokens, env }) => {
    const codes = [...tokens, ...tokens.flatMap(({ children }) => children ?? [])].filter(({ tag }) => tag === "code");
    if (codes.some(({ content }) => isPersonal(content))) env.frontmatter = { ...env.frontmatter, hasExamples: true };
  });
  md.core.ruler.push("swath-links", ({ tokens, env }) => {
    const file = files.get(env.relativePath ?? "");
    if (file === undefined) return;
    const resolve = linkFrom(file, places);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
      if (name !== undefined) token.attrSet(name, resolve(token.attrGet(name) ?? ""));
    }
  });
  const text = md.renderer.rules.text;
  md.renderer.rules.text = (tokens, index, options, env, self) => {
    const html = text?.(tokens, index, options, env, self) ?? md.utils.escapeHtml(tokens[index]?.content ?? "");
    return html.replaceAll("{{", "&#123;&#123;");
  };
}

type RenderForSearch = NonNullable<DefaultTheme.LocalSearchOptions["_render"]>;

/** Headings of members of what a package exports. */
const MEMBERS = /<h([4-6])[^>]*>(.*?)<\/h\1>/gs;

/**
 * Renders a page for the index of search. It holds no colours of code, which take half of the time of a page; and what a
 * package exports is one result with its members, which would stand before the guides, since they have the same words.
 */
export const renderForSearch: RenderForSearch = async (text, env, md) => {
  const { highlight } = md.options;
  md.options.highlight = null;
  try {
    const html = await md.render(text, env);
    return env.relativePath.startsWith("reference/") ? html.replace(MEMBERS, "<p>$2</p>") : html;
  } finally {
    md.options.highlight = highlight;
  }
};
