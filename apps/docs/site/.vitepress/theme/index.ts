import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import { ExampleSettings } from "./example-settings.ts";
import { HeroPicture } from "./hero-picture.ts";
import { rankingOf } from "./ranking.ts";
import { MapLink, ServiceLinks } from "./service-links.ts";
import { SourceLink } from "./source-link.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ siteData }) => {
    const { base, themeConfig } = siteData.value;
    Object.assign(themeConfig.search.options.miniSearch.searchOptions, rankingOf(base));
  },
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      "home-hero-image": () => h(HeroPicture),
      "home-hero-actions-after": () => h(MapLink),
      "doc-before": () => h(ExampleSettings),
      "doc-footer-before": () => h(SourceLink),
      "nav-bar-content-after": () => h(ServiceLinks),
      "nav-screen-content-after": () => h(ServiceLinks),
    }),
};
export default theme;
