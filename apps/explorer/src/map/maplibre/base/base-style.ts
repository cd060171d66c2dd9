import type {
  LayerSpecification,
  Map as MapLibre,
  SourceSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from "maplibre-gl";
import { fetchAnswer } from "../../../api/api-error.ts";
import type { BaseMap } from "../../../api/types.ts";
import { BASE, BORDERS } from "../layer-names.ts";

/** Time that the map waits for a style, milliseconds. */
const PATIENCE_MS = 10_000;
const TILE_MAXZOOM = 19;

/** The parts of the owner's style, with names that none of the page's own sources and layers has. */
export interface BaseStyle extends Pick<StyleSpecification, "glyphs" | "sprite"> {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  /** Layers below the imagery. */
  readonly below: readonly LayerSpecification[];
  /** Layers above it. */
  readonly labels: readonly SymbolLayerSpecification[];
}

/** Puts labels apart from the layers that lie below the imagery. */
export function baseStyle({ glyphs, sprite, sources, layers }: StyleSpecification): BaseStyle {
  const named = layers.map((layer) => ({
    ...layer,
    id: `${BASE}${layer.id}`,
    ...("source" in layer ? { source: `${BASE}${layer.source}` } : {}),
  })) as LayerSpecification[];
  return {
    ...(glyphs === undefined ? {} : { glyphs }),
    ...(sprite === undefined ? {} : { sprite }),
    sources: Object.fromEntries(Object.entries(sources).map(([name, source]) => [`${BASE}${name}`, source])),
    below: named.filter(({ type }) => type !== "symbol"),
    labels: named.filter((layer): layer is SymbolLayerSpecification => layer.type === "symbol"),
  };
}

/** Whether a document has the members of a style that are needed; the map says itself what else is wrong. */
function isStyle(document: unknown): document is StyleSpecification {
  const { version, sources, layers } = (document ?? {}) as Partial<StyleSpecification>;
  return version === 8 && typeof sources === "object" && sources !== null && Array.isArray(layers);
}

/** Loads the owner's base map: a style, or tiles, of which it makes one. */
export async function readBaseStyle({ url }: BaseMap): Promise<BaseStyle> {
  if (url.includes("{z}")) {
    const tiles: SourceSpecification = { type: "raster", tiles: [url], tileSize: 256, maxzoom: TILE_MAXZOOM };
    return baseStyle({ version: 8, sources: { tiles }, layers: [{ id: "tiles", type: "raster", source: "tiles" }] });
  }
  const response = await fetchAnswer(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const document: unknown = await response.json();
  if (!isStyle(document)) throw new Error("The base map is no MapLibre style of version 8.");
  return baseStyle(document);
}

/** Adds the owner's base map to a map without layers of its own; imagery lies below the layer {@link BORDERS}. */
export function addBaseStyle(map: MapLibre, { glyphs, sprite, sources, below, labels }: BaseStyle): void {
  for (const [name, source] of Object.entries(sources)) map.addSource(name, source);
  if (typeof sprite === "string") map.setSprite(sprite);
  else for (const { id, url } of sprite ?? []) map.addSprite(id, url);
  for (const layer of below) map.addLayer(layer);
  if (labels.length === 0) return;
  // without labels the page's own names are shown, which need no glyphs of a server
  if (glyphs !== undefined) map.setGlyphs(glyphs);
  map.addLayer({ id: BORDERS, type: "background", layout: { visibility: "none" } });
  for (const layer of labels) map.addLayer(layer);
}

/** Characters that attributions write by name; others are numbers. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  copy: "©",
  gt: ">",
  lt: "<",
  nbsp: " ",
  quot: '"',
  reg: "®",
};

/** Returns the text of an attribution, which may have markup; what is no markup that is known here stays as it is written. */
export function textOf(markup: string): string {
  const plain = markup.replace(/<[^>]*>/g, "");
  const text = plain.replace(/&(?:#(\d{1,6})|(\w+));/g, (written, code: string | undefined, name = "") =>
    code === undefined ? (NAMED[name] ?? written) : String.fromCodePoint(Number(code)),
  );
  return text.trim();
}

/** Returns the credit of the sources that are loaded by now, each once. */
export function creditOf(map: MapLibre, { sources }: BaseStyle): string {
  const texts = Object.keys(sources).flatMap((name) => {
    const { attribution } = (map.getSource(name) ?? {}) as { readonly attribution?: unknown };
    return typeof attribution === "string" ? textOf(attribution) : [];
  });
  return [...new Set(texts)].filter((text) => text !== "").join(" · ");
}

/** The labels of the owner's style, shown as the style has them. */
export class StyleLabels {
  readonly #map: MapLibre;
  readonly #labels: BaseStyle["labels"];

  constructor(map: MapLibre, { labels }: BaseStyle) {
    this.#map = map;
    this.#labels = labels;
  }

  async show(isShown: boolean): Promise<void> {
    for (const { id, layout } of this.#labels) {
      if (this.#map.getLayer(id) === undefined) continue;
      this.#map.setLayoutProperty(id, "visibility", isShown ? (layout?.visibility ?? "visible") : "none");
    }
  }
}
