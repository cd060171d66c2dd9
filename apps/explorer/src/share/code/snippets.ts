import { CUSTOM } from "../../view/view.ts";
import type { ShareView } from "../share-view.ts";
import { TOKEN, tilesOf } from "./addresses.ts";
import { curlCode, pythonCode, rCode } from "./file-code.ts";
import { gdalCode, qgisCode } from "./gis-code.ts";
import { openEoCode } from "./openeo-code.ts";
import { imageCode, leafletCode, mapLibreCode, pageCode, swipeCode } from "./web-code.ts";

/** Code, and how it comes to the service: by a key always, by a key where there is no map token, or by a map token alone. */
export interface Snippet {
  readonly id: string;
  readonly title: string;
  /** Where the code is put, and what it gives. */
  readonly hint: string;
  readonly needs: "key" | "key or token" | "token";
  readonly code: (view: ShareView) => string;
  /** Whether there is code of this kind for a view; default: for each. */
  readonly isFor?: (view: ShareView) => boolean;
}

export const SNIPPETS: readonly Snippet[] = [
  { id: "curl", title: "curl", hint: "Values as a GeoTIFF", needs: "key", code: curlCode },
  { id: "python", title: "Python", hint: "requests and rasterio: values as a GeoTIFF", needs: "key", code: pythonCode },
  { id: "r", title: "R", hint: "httr2 and terra: values as a GeoTIFF", needs: "key", code: rCode },
  {
    id: "openeo",
    title: "openEO graph",
    hint: "Body for POST /v1/openeo/result; of each pixel the median of the days",
    needs: "key",
    code: openEoCode,
  },
  { id: "gdal", title: "GDAL", hint: "The image as a GeoTIFF of colors", needs: "key or token", code: gdalCode },
  { id: "qgis", title: "QGIS", hint: "For its Python console: adds a layer", needs: "key or token", code: qgisCode },
  {
    id: "maplibre",
    title: "MapLibre GL JS",
    hint: "Module for a page with an element “map”",
    needs: "key or token",
    code: mapLibreCode,
  },
  { id: "leaflet", title: "Leaflet", hint: "For a page with an element “map”", needs: "token", code: leafletCode },
  { id: "page", title: "Map in a web page", hint: "HTML that needs nothing else", needs: "token", code: pageCode },
  {
    id: "swipe",
    title: "Comparison in a web page",
    hint: "HTML with both images and the border",
    needs: "token",
    code: swipeCode,
    isFor: ({ right, scene, preset }) => right !== undefined && scene === undefined && preset !== CUSTOM,
  },
  { id: "image", title: "One image", hint: "HTML with one image", needs: "token", code: imageCode },
  {
    id: "tiles",
    title: "Address of tiles",
    hint: "XYZ, for OpenLayers, ArcGIS and others",
    needs: "token",
    code: (view) => tilesOf(view, "map"),
  },
];

/** Says what has to be done before the code runs; undefined: nothing. */
export function needOf({ id, needs }: Snippet, { token }: Pick<ShareView, "token">): string | undefined {
  if (needs === "token") return token === undefined ? `${TOKEN} in it stands for a map token.` : undefined;
  if (needs === "key or token" && token !== undefined) return undefined;
  if (id === "openeo") return "Send it with your key, in X-API-Key.";
  // a page has no environment
  return id === "maplibre" ? "Put your key where it says so." : "It reads your key from the environment variable KEY.";
}
