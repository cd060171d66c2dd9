import type { Preset } from "@swath/schema";
import { JSON_TYPE } from "./media-types.ts";
import type { ProfileLinks } from "./profile-links.ts";

/** A preset as it is served. @param more links that a profile adds. */
export function presetDocument(preset: Preset, baseUrl: string, more: ProfileLinks): Record<string, unknown> {
  const v1 = `${baseUrl}/v1`;
  return {
    ...preset,
    links: [
      { rel: "self", type: JSON_TYPE, href: `${v1}/presets/${preset.id}`, title: preset.title },
      { rel: "root", type: JSON_TYPE, href: v1, title: "Landing page" },
      ...(preset.tileMatrixSets ?? []).map((set) => ({
        rel: "tiles",
        type: JSON_TYPE,
        href: `${v1}/tiles/${preset.id}/${set}/tilejson.json`,
        title: `TileJSON, ${set}`,
      })),
      ...(more.preset?.(preset, v1) ?? []),
    ],
  };
}

/** All presets as they are served. */
export function presetList(presets: readonly Preset[], baseUrl: string, more: ProfileLinks): Record<string, unknown> {
  return {
    presets: presets.map((preset) => presetDocument(preset, baseUrl, more)),
    links: [
      { rel: "self", type: JSON_TYPE, href: `${baseUrl}/v1/presets`, title: "Presets" },
      { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1`, title: "Landing page" },
    ],
  };
}
