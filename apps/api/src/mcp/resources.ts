import type { Resource } from "@swath/mcp";
import { JSON_TYPE } from "../documents/media-types.ts";
import { presetList } from "../documents/preset.ts";
import { presetsThere } from "../operations/presets.ts";
import type { ToolServices } from "./tool.ts";

/** The documents that a model reads to learn what tools take. */
export function mcpResources(
  { registry, links, extents }: Pick<ToolServices, "registry" | "links" | "extents">,
  baseUrl: string,
): readonly Resource[] {
  return [
    {
      uri: `${baseUrl}/v1/presets`,
      name: "presets",
      title: "Presets",
      description:
        "What the tool render draws: ids, what their colours mean, and of which collections. Other indices of the schema are presets too, `index-{id}`.",
      mimeType: JSON_TYPE,
      read: async () => {
        const { presets, hasNext } = await presetsThere({ registry, extents });
        return JSON.stringify(presetList(presets, { registry, baseUrl, more: links }, { hasNext }));
      },
    },
    {
      uri: `${baseUrl}/v1/schema`,
      name: "schema",
      title: "Bands, indices, masks, units",
      description: "Names of bands by collection, ids of indices, classes of masks, levels of harmonization.",
      mimeType: JSON_TYPE,
      read: () => registry.schemaDocument(),
    },
  ];
}
