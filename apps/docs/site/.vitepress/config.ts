import { defineConfig } from "vitepress";
import { anchorOf } from "../../scripts/content/paths.ts";
import { renderForSearch, servedFromPages } from "./markdown.ts";
import { navigation, sidebar } from "./navigation.ts";

/** The sign of the service, in the page itself: without one browsers ask for /favicon.ico. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230b5a8a'/%3E%3Cpath d='m9 24 13-15 3 2-13 15z' fill='%23fff'/%3E%3C/svg%3E";

/** The name of the search button holds the words that are seen on it: "Search" and the key, with a space between. */
const SEARCH_WORDS = { button: { buttonText: "Search ", buttonAriaLabel: "Search K, with Control or Command" } };

const isServed = process.env.SWATH_DOCS_SERVED === "yes";

export default defineConfig({
  title: "Swath",
  titleTemplate: ":title · Swath",
  description: "A STAC API and renderer over optical satellite archives: search, map tiles, GeoTIFF, curves.",
  lang: "en",
  srcDir: "../.content",
  cacheDir: "../.cache",
  cleanUrls: true,
  // the pages that links in view lead to would be half of what a visit loads
  router: { prefetchLinks: false },
  // the page with the console is made after these, beside them
  ignoreDeadLinks: [/^\/api\/(index)?$/],
  metaChunk: true,
  head: [["link", { rel: "icon", href: ICON }]],
  markdown: {
    // documents are Markdown; what looks like HTML in one is text
    html: false,
    attrs: { leftDelimiter: "{:", rightDelimiter: ":}" },
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { request: "json", answer: "json", layers: "text", csv: "text" },
    config: servedFromPages,
  },
  vite: { define: { SWATH_IS_SERVED: JSON.stringify(isServed) } },
  themeConfig: {
    nav: navigation,
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    notFound: {
      quote: "There is no page at this address. The search at the top finds what there is.",
      linkText: "First page",
      linkLabel: "First page",
    },
    search: {
      provider: "local",
      // the theme says how it ranks: VitePress would put functions into the pages as text to be evaluated
      options: { miniSearch: { searchOptions: {} }, translations: SEARCH_WORDS, _render: renderForSearch },
    },
    socialLinks: [{ icon: "github", link: "https://github.com/swath-imagery/swath" }],
    footer: { message: "Swath is under the MIT licence." },
    externalLinkIcon: true,
  },
});
