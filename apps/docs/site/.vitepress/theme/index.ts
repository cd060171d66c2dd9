import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import { ExampleSettings } from "./example-settings.ts";
import { ServiceLinks } from "./service-links.ts";
import { SourceLink } from "./source-link.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      "doc-before": () => h(ExampleSettings),
      "doc-footer-before": () => h(SourceLink),
      "nav-bar-content-after": () => h(ServiceLinks),
      "nav-screen-content-after": () => h(ServiceLinks),
    }),
};
export default theme;
