import { z } from "@hono/zod-openapi";
import { parseCollectionSearch } from "@swath/catalog/documents";
import { collectionOf } from "@swath/engine/search";
import { collectionDocument } from "../../documents/collection.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { CollectionListModel } from "../../documents/models.ts";
import { type CollectionWithExtent, existing, searchCollections } from "../../operations/collections.ts";
import { defineTool } from "../tool.ts";

const DESCRIPTION = `Lists the collections of scenes: which satellite, bands, years and place each has. Call it first where you do not know what there is. Costs nothing.
- collection: id or alias of one, of which you get everything; default all, in short. optical-sr is all optical sensors together, made comparable.
- bbox [west, south, east, north] in degrees, datetime, q (words, comma-separated): only collections that touch the box and the time and hold one of the words.
Of one collection \`bands\` gives the names that other tools take (\`name\`, or \`common_name\` such as "red", "nir08"), \`svc:units\` the units of values (REFLECTANCE is 0 to 1, KELVIN temperature), \`svc:harmonize_levels\` how sensors can be made comparable.
Example: {"collection": "sentinel-2-l2a"}`;

const Input = z.strictObject({
  collection: z.string().optional().openapi({ description: "Collection id or alias; default: all." }),
  bbox: z
    .array(z.number())
    .min(4)
    .max(6)
    .optional()
    .openapi({ description: "West, south, east, north in degrees (CRS84)." }),
  datetime: z.string().optional().openapi({ description: "RFC 3339 instant or interval, UTC; `..` is an open end." }),
  q: z.string().optional().openapi({ description: "Words or phrases, comma-separated, of which one has to be there." }),
});

export const collections = defineTool({
  name: "collections",
  title: "List collections",
  description: DESCRIPTION,
  input: Input,
  output: CollectionListModel,
  members: { in: "body", names: { "when.collections.0": "/collection" } },
  async call(
    { collection, bbox, datetime, q },
    { services: { registry, extents, pageTokens, links: more }, baseUrl, authentication, signal },
  ) {
    const found =
      collection === undefined
        ? (
            await searchCollections(
              { registry, extents, pageTokens },
              parseCollectionSearch({ bbox: bbox?.join(","), datetime, q }),
              undefined,
              { signal },
            )
          ).found
        : [await existing(extents, collectionOf(registry, collection).collection, { signal })];
    const documents = found.map(({ collection: schema, extent }) => {
      const facts = { baseUrl, authentication };
      // models do not follow links
      if (collection === undefined) return withoutBands(collectionDocument(schema, extent, facts));
      return collectionDocument(schema, extent, facts, more.collection?.(schema, `${baseUrl}/v1`));
    });
    return {
      structured: {
        collections: documents,
        links: [
          { rel: "self", type: JSON_TYPE, href: `${baseUrl}/v1/collections`, title: "Collections" },
          { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1`, title: "Landing page" },
        ],
        numberMatched: documents.length,
        numberReturned: documents.length,
      },
      text: found.map(lineOf).join("\n"),
    };
  },
});

/** A list of whole collections would be some 120 kB, nearly all of it about bands. */
function withoutBands({
  bands: _bands,
  item_assets: _assets,
  "svc:pseudo_bands": _pseudo,
  ...document
}: Record<string, unknown>): Record<string, unknown> {
  return document;
}

function lineOf({ collection, extent }: CollectionWithExtent): string {
  const { id, title, bands, virtual, units } = collection;
  const [start, end] = extent.temporal.interval[0] ?? [null, null];
  const names = (virtual?.bands ?? bands).map(({ name }) => name).join(", ");
  return `${id}: ${title}; ${start ?? ".."} to ${end ?? "now"}; units ${units.join(", ")}; bands ${names}`;
}
