import { type CollectionRegistry, defaultRegistry } from "@swath/schema";
import type { Asset, Item } from "../item/item.ts";
import { isJson, jsonOf, textOf } from "../json.ts";
import { extensionsOf } from "./extensions.ts";
import { footprintOf } from "./footprint.ts";
import { RASTER_TYPES } from "./raster-format.ts";
import { collectionOf } from "./schema-facts.ts";
import { type ServiceAsset, toServiceAsset } from "./service-assets.ts";
import { commonProperties, ruledProperties } from "./service-properties.ts";
import { StorageSchemes } from "./storage.ts";

/**
 * An upstream item (Earth Search v0, v1 or the next generation, USGS, STAC 0.7 to 1.1.0) as the service shows it:
 * STAC 1.1.0, native band names as asset keys, lowercase platform, `s3://` hrefs where there is a choice, the
 * `svc:*` members. It has no links: those need the address of the service.
 *
 * @param upstreamName the upstream that the item comes from: only its collections are looked at. Default any.
 * @returns `undefined` for what is no item of a collection of the registry, and for platforms that the collection does
 *   not have.
 */
export function toServiceItem(
  upstream: unknown,
  registry: CollectionRegistry = defaultRegistry,
  upstreamName?: string,
): Item | undefined {
  if (!isJson(upstream) || upstream.type !== "Feature") return undefined;
  const id = textOf(upstream.id);
  const upstreamProperties = jsonOf(upstream.properties);
  if (id === undefined) return undefined;
  const source = { id, collection: textOf(upstream.collection), properties: upstreamProperties };
  const collection = collectionOf(source, registry, upstreamName);
  if (collection === undefined) return undefined;

  const { geometry, bbox } = footprintOf(upstream.geometry, upstream.bbox);
  const properties: Item["properties"] = {
    ...commonProperties(collection, id, upstreamProperties, bbox),
    ...ruledProperties(collection.properties, id, upstreamProperties),
  };
  const schemes = new StorageSchemes(upstreamProperties["storage:schemes"], registry);
  const shown = new Map<string, ServiceAsset>();
  const facts = { ...upstreamProperties, ...properties };
  const context = { collection, upstreamCollection: source.collection, properties: facts, bbox, schemes };
  for (const [key, asset] of Object.entries(jsonOf(upstream.assets))) {
    const converted = toServiceAsset(key, jsonOf(asset), context);
    if (converted === undefined) continue;
    const known = shown.get(converted.name);
    if (known === undefined || known.rank < converted.rank) shown.set(converted.name, converted);
  }
  const assets = Object.fromEntries([...shown].map(([name, { asset }]) => [name, asset]));
  const bands = Object.values(assets).filter((asset) => asset["svc:band"] !== undefined);
  const isJpeg2000Alone = bands.length > 0 && bands.every(isJpeg2000);
  return {
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: extensionsOf({ ...properties, ...schemes.toProperties() }, assets, collection.extensions),
    id,
    collection: collection.id,
    geometry,
    ...(bbox === undefined ? {} : { bbox }),
    properties: {
      ...properties,
      ...schemes.toProperties(),
      "svc:source_collection": collection.id,
      "svc:mask_source": collection.maskSource,
      "svc:mask_capabilities": collection.maskCapabilities,
      "svc:harmonization": collection.defaultHarmonize,
      ...(isJpeg2000Alone ? { "svc:band_format": RASTER_TYPES.jpeg2000 } : {}),
    },
    assets,
    links: [],
  };
}

function isJpeg2000({ type }: Asset): boolean {
  return type === RASTER_TYPES.jpeg2000;
}
