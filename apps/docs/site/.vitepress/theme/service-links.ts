import { type FunctionalComponent, h, ref } from "vue";
import { isServed } from "./server.ts";

/** Address of the map page: at first as it opens by itself, then with the view of the live map beside the first words. */
export const mapAddress = ref("/explore");

/** A link below the first words of the site to the map of the server, where a server gives the pages. */
export const MapLink: FunctionalComponent = () =>
  isServed
    ? h(
        "p",
        { class: "live-map" },
        h("a", { href: mapAddress.value, target: "_self" }, "Open the live map of this server"),
      )
    : null;

/** Links to the pages of the server beside its documents, where a server gives them. */
export const ServiceLinks: FunctionalComponent = () =>
  isServed
    ? h("nav", { class: "service-links", "aria-label": "This server" }, [
        h("a", { href: "/explore", target: "_self" }, "Map"),
      ])
    : null;
