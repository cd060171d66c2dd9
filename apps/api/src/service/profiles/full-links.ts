import { QUERYABLES_REL, SCHEMA_JSON, SORTABLES_REL } from "@swath/catalog/documents";
import type { CollectionRegistry } from "@swath/schema";
import { JSON_TYPE, XML_TYPE } from "../../documents/media-types.ts";
import type { DocumentLink, ProfileLinks } from "../../documents/profile-links.ts";
import { layerNames } from "../../operations/wmts-layers.ts";

/** Links to the counts of items: of all, or of a collection, by the address of its document (aggregation extension). */
function countLinks(address: string, of: string): readonly DocumentLink[] {
  const title = `Counts of ${of}`;
  return [
    ...(["GET", "POST"] as const).map((method) => ({
      rel: "aggregate",
      type: JSON_TYPE,
      href: `${address}/aggregate`,
      method,
      title,
    })),
    { rel: "aggregations", type: JSON_TYPE, href: `${address}/aggregations`, title: `Aggregations of ${of}` },
  ];
}

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
      ...countLinks(v1, "all items"),
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
        ...countLinks(`${v1}/collections/${id}`, title),
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
