import { Marked } from "marked";
import { escapeHtml } from "./pages.ts";

/** A Markdown document as HTML. */
export interface MarkdownPage {
  /** Text of the first heading. */
  readonly title: string;
  readonly html: string;
}

/** The anchor of a heading, as code hosts make it: "Two commands" is `two-commands`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/**
 * GitHub-flavoured Markdown to HTML. `locate` gives the address behind a link or picture, or undefined where it leads
 * to nothing that is served: then only the text stays. Text is written by us, so that HTML in it is kept.
 */
export function renderMarkdown(text: string, locate: (href: string) => string | undefined): MarkdownPage {
  let title: string | undefined;
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: plain }) {
        const bare = plain.replace(/`/g, "");
        title ??= bare;
        return `<h${depth} id="${escapeHtml(anchorOf(bare))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = locate(href);
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image({ href, text: alternative }) {
        const address = locate(href);
        return address === undefined
          ? escapeHtml(alternative)
          : `<img src="${escapeHtml(address)}" alt="${escapeHtml(alternative)}">`;
      },
      code({ text: code, lang = "" }) {
        const language = lang.split(/\s/)[0] ?? "";
        const name = language === "" ? "" : ` class="language-${escapeHtml(language)}"`;
        return `<pre><code${name}>${escapeHtml(code)}\n</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { title: title ?? "", html };
}
