import type { ShareView } from "../share-view.ts";
import { rootOf, singleImageOf, tilesOf, zoomOf } from "./addresses.ts";
import { codeText, markupText } from "./quote.ts";

const round = (value: number): number => Number(value.toFixed(5));

/** Lines of Leaflet for an element with this id. */
function leafletLines(view: ShareView, id: string): string {
  const { map, minzoom, maxzoom, opacity, credit } = view;
  const options = [
    `minZoom: ${minzoom}`,
    `maxNativeZoom: ${maxzoom}`,
    "maxZoom: 18",
    ...(opacity === 1 ? [] : [`opacity: ${opacity}`]),
    `attribution: ${codeText(markupText(credit))}`,
  ];
  return `const map = L.map("${id}").setView([${round(map.lat)}, ${round(map.lon)}], ${zoomOf(view)});
L.tileLayer(${codeText(tilesOf(view, "map"))}, {
${options.map((option) => `  ${option},\n`).join("")}}).addTo(map);
`;
}

/** Leaflet sends no header, so that its tiles need a map token. */
export const leafletCode = (view: ShareView): string => leafletLines(view, "map");

/** Files of Leaflet with the hashes that browsers check. */
const LEAFLET = {
  css: ["https://unpkg.com/leaflet@1.9.4/dist/leaflet.css", "sha256-p4NxAoJBhIIN+hmNHrzRCf9tD/miZyoHS5obTRR9BMY="],
  js: ["https://unpkg.com/leaflet@1.9.4/dist/leaflet.js", "sha256-20nQCchB9co0qIjJZRGuk2/Z9VM+kNiyxNV1lvTlZBo="],
} as const;

/** A map for any web page: an element, Leaflet, and the image. */
export const pageCode = (view: ShareView): string => `<div id="swath-map" style="height: 400px"></div>
<link rel="stylesheet" href="${LEAFLET.css[0]}" integrity="${LEAFLET.css[1]}" crossorigin="">
<script src="${LEAFLET.js[0]}" integrity="${LEAFLET.js[1]}" crossorigin=""></script>
<script>
${leafletLines(view, "swath-map")}</script>
`;

/** Both images of the comparison with the border between them, as an element of the service's own. */
export function swipeCode(view: ShareView): string {
  const { server, preset, collection, from, to, right, map, title } = view;
  const days = (of: { readonly from: string; readonly to: string }): string =>
    of.from === of.to ? of.from : `${of.from}/${of.to}`;
  const attributes = {
    map: rootOf(view, "map"),
    preset,
    collection,
    left: days({ from, to }),
    right: days(right ?? { from, to }),
    center: `${round(map.lon)},${round(map.lat)}`,
    zoom: String(Number(map.zoom.toFixed(2))),
    label: title,
  };
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name}="${markupText(value)}"`);
  return `<script type="module" src="${markupText(`${server}/explore/embed.js`)}"></script>
<swath-swipe
${lines.join("\n")}></swath-swipe>
`;
}

/** An image for a web page, a slide or a mail. */
export function imageCode(view: ShareView): string {
  const { address, size } = singleImageOf(view);
  const when = view.scene ?? (view.from === view.to ? view.from : `${view.from} to ${view.to}`);
  const sides = size === undefined ? "" : ` width="${size}" height="${size}"`;
  return `<img src="${markupText(address)}"${sides} alt="${markupText(`${view.title}, ${when}`)}">
<small>${markupText(view.credit)}</small>
`;
}

const WITH_KEY = {
  names: (server: string): string => `const SERVICE = ${codeText(`${server}/`)};\nconst KEY = "your key";\n\n`,
  option:
    '  transformRequest: (url) => (url.startsWith(SERVICE) ? { url, headers: { "X-API-Key": KEY } } : { url }),\n',
};

/** A module for a page with an element `map`; it sends a key where there is no map token. */
export function mapLibreCode(view: ShareView): string {
  const { map, minzoom, maxzoom, opacity, credit, token, server } = view;
  const isOpen = token !== undefined;
  const paint = opacity === 1 ? "" : `, paint: { "raster-opacity": ${opacity} }`;
  return `import { Map as MapView } from "maplibre-gl";

${isOpen ? "" : WITH_KEY.names(server)}export const map = new MapView({
  container: "map",
  center: [${round(map.lon)}, ${round(map.lat)}],
  zoom: ${Number(map.zoom.toFixed(2))},
${isOpen ? "" : WITH_KEY.option}  style: {
    version: 8,
    sources: {
      swath: {
        type: "raster",
        tiles: [${codeText(tilesOf(view, isOpen ? "map" : "key"))}],
        tileSize: 256,
        minzoom: ${minzoom},
        maxzoom: ${maxzoom},
        attribution: ${codeText(markupText(credit))},
      },
    },
    layers: [{ id: "swath", type: "raster", source: "swath"${paint} }],
  },
});
`;
}
