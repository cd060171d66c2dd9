import type { Asset, Item } from "@swath/catalog";
import { hasFilesOf } from "@swath/engine/files";
import { previewRecipe } from "@swath/engine/search";
import type { CollectionRegistry } from "@swath/schema";
import { AUTHENTICATION_EXTENSION, type Authentication } from "./authentication.ts";
import { GEOJSON, JSON_TYPE } from "./media-types.ts";

/** Hrefs of an embedded archive start so; the service publishes those files under its own address. */
const ARCHIVE_SCHEME = "archive:";
/** The signature of an address in the owner's folder, which is nobody else's business. */
const SIGNATURE = /^~[\w-]+\//;

/** The image that stands for an item in lists, without its address. */
export const THUMBNAIL = { type: "image/png", title: "Preview in true colour", roles: ["thumbnail"] } as const;

/** The address a client can use: archive files are served by this service, everything else stays as the upstream gave it. */
export function publicHref(href: string, baseUrl: string): string {
  return href.startsWith(ARCHIVE_SCHEME)
    ? `${baseUrl}/archive/${href.slice(ARCHIVE_SCHEME.length).replace(SIGNATURE, "")}`
    : href;
}

/** The service that serves an item. */
export interface ItemSite {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly registry: CollectionRegistry;
  readonly authentication: Authentication;
}

/** An item as it is served: links of this service, addresses that clients can use, and how to authenticate. */
export function itemDocument(item: Item, { baseUrl, registry, authentication }: ItemSite): Record<string, unknown> {
  const v1 = `${baseUrl}/v1`;
  const collection = `${v1}/collections/${item.collection}`;
  const schema = registry.find(item.collection)?.collection;
  const title = schema?.title ?? item.collection;
  const source = schema?.virtual === undefined ? undefined : String(item.properties["svc:source_collection"]);
  const self = `${collection}/items/${encodeURIComponent(item.id)}`;
  const assets = Object.entries(item.assets).map(([key, asset]): [string, Asset] => [
    key,
    { ...asset, href: publicHref(asset.href, baseUrl) },
  ]);
  // offered only where it can be drawn
  const recipe = schema && previewRecipe(schema)?.recipe;
  const hasPreview = schema !== undefined && recipe !== undefined && hasFilesOf(item, schema, recipe);
  const preview = { type: "image/png", href: `${self}/preview.png`, "auth:refs": authentication.refs };
  return {
    ...item,
    stac_extensions: [...(item.stac_extensions ?? []), AUTHENTICATION_EXTENSION],
    properties: { ...item.properties, "auth:schemes": authentication.schemes },
    // browsers of STAC look for this asset, not for the link; the upstream's own image would be another size and style
    assets: {
      ...Object.fromEntries(assets),
      ...(hasPreview ? { thumbnail: { ...preview, ...THUMBNAIL } } : {}),
    },
    links: [
      { rel: "self", type: GEOJSON, href: self, title: item.id },
      { rel: "root", type: JSON_TYPE, href: v1, title: "Landing page" },
      { rel: "parent", type: JSON_TYPE, href: collection, title },
      { rel: "collection", type: JSON_TYPE, href: collection, title },
      ...(source === undefined
        ? []
        : [
            {
              rel: "canonical",
              type: GEOJSON,
              href: `${v1}/collections/${source}/items/${encodeURIComponent(item.id)}`,
              title: `${item.id} of ${source}`,
            },
          ]),
      ...(hasPreview ? [{ rel: "preview", ...preview, title: THUMBNAIL.title }] : []),
    ],
  };
}
