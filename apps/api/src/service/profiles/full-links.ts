import type { CollectionRegistry } from "@swath/schema";
import { XML_TYPE } from "../../documents/media-types.ts";
import type { ProfileLinks } from "../../documents/profile-links.ts";
import { QUERYABLES_REL, SCHEMA_JSON, SORTABLES_REL } from "../../documents/queryables.ts";
import { layerNames } from "../../operations/wmts-layers.ts";

/**
 * Links of the full contract to what lean v1 does not serve.
 *
 * @param options.hasAccounts whether people can have accounts here, and pages of the website guest tokens.
 */
export function fullLinks(
  registry: CollectionRegistry,
  { hasAccounts }: { readonly hasAccounts: boolean },
): ProfileLinks {
  const layers = layerNames(registry);
  return {
    landing: (v1) => [
      { rel: QUERYABLES_REL, type: SCHEMA_JSON, href: `${v1}/queryables`, title: "Queryables of all collections" },
      { rel: SORTABLES_REL, type: SCHEMA_JSON, href: `${v1}/sortables`, title: "Sortables of all collections" },
      ...(hasAccounts
        ? [{ rel: "account", type: "text/html", href: new URL("account", v1).href, title: "Account, keys and usage" }]
        : []),
    ],
    collection: ({ id, title }, v1) => {
      const drawn = layers.filter(({ collectionId }) => collectionId === id).map(({ identifier }) => identifier);
      return [
        {
          rel: QUERYABLES_REL,
          type: SCHEMA_JSON,
          href: `${v1}/collections/${id}/queryables`,
          title: `Queryables of ${title}`,
        },
        {
          rel: SORTABLES_REL,
          type: SCHEMA_JSON,
          href: `${v1}/collections/${id}/sortables`,
          title: `Sortables of ${title}`,
        },
        ...(drawn.length === 0
          ? []
          : [
              {
                rel: "wmts",
                type: XML_TYPE,
                href: `${v1}/wmts/WMTSCapabilities.xml`,
                title: `WMTS of ${title}`,
                "wmts:layer": drawn,
              },
            ]),
      ];
    },
    preset: ({ id, title }, v1) => [
      {
        rel: "describedby",
        type: XML_TYPE,
        href: `${v1}/tiles/${id}/WMTSCapabilities.xml`,
        title: `WMTS capabilities of ${title}`,
      },
    ],
  };
}
