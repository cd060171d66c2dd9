import type { CollectionRegistry } from "@swath/schema";
import { type Preset, shownRecipe } from "@swath/schema/presets";
import { JSON_TYPE } from "./media-types.ts";
import type { ProfileLinks } from "./profile-links.ts";

/** The site that shows presets: the collections of their recipes, its address, and links that a profile adds. */
export interface PresetSite {
  readonly registry: Pick<CollectionRegistry, "resolve">;
  readonly baseUrl: string;
  readonly more: ProfileLinks;
}

/** A preset as it is served. */
export function presetDocument(preset: Preset, { registry, baseUrl, more }: PresetSite): Record<string, unknown> {
  const v1 = `${baseUrl}/v1`;
  const recipes = Object.entries(preset["svc:recipes"] ?? {});
  return {
    ...preset,
    "svc:recipes": Object.fromEntries(
      recipes.map(([id, recipe]) => [id, shownRecipe(registry.resolve(id), recipe)] as const),
    ),
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

/** The `token` of the page of the further presets. */
export const FURTHER = "further";

/** A page of presets as they are served: those that are listed first, or the further ones. */
export function presetList(
  presets: readonly Preset[],
  site: PresetSite,
  page: { readonly token?: typeof FURTHER | undefined; readonly hasNext: boolean },
): Record<string, unknown> {
  const { baseUrl } = site;
  const first = `${baseUrl}/v1/presets`;
  const further = `${first}?token=${FURTHER}`;
  return {
    presets: presets.map((preset) => presetDocument(preset, site)),
    links: [
      { rel: "self", type: JSON_TYPE, href: page.token === undefined ? first : further, title: "Presets" },
      { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1`, title: "Landing page" },
      ...(page.hasNext ? [{ rel: "next", type: JSON_TYPE, href: further, title: "Presets of further indices" }] : []),
    ],
  };
}
