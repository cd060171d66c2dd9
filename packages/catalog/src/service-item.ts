import { footprintShape, type Geometry, shapeBbox } from "@swath/geometry";
import { type CollectionRegistry, defaultRegistry } from "@swath/schema";
import { extensionsOf } from "./extensions.ts";
import type { Asset, Item } from "./item.ts";
import { isJson, jsonOf, numbersOf, textOf } from "./json.ts";
import { collectionOf } from "./schema-facts.ts";
import { isJpeg2000, toServiceAsset } from "./service-assets.ts";
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

  const properties: Item["properties"] = {
    ...commonProperties(collection, id, upstreamProperties),
    ...ruledProperties(collection.properties, id, upstreamProperties),
  };
  const schemes = new StorageSchemes(upstreamProperties["storage:schemes"], registry);
  const assets: Record<string, Asset> = {};
  const upstreamCollection = source.collection;
  const context = { collection, upstreamCollection, properties: { ...upstreamProperties, ...properties }, schemes };
  const upstreamAssets = Object.entries(jsonOf(upstream.assets)).map(([key, asset]) => [key, jsonOf(asset)] as const);
  const copies = upstreamAssets.filter(([, asset]) => isJpeg2000(asset));
  for (const [key, asset] of [...upstreamAssets.filter(([, other]) => !isJpeg2000(other)), ...copies]) {
    const converted = toServiceAsset(key, asset, context);
    if (converted !== undefined) assets[converted[0]] ??= converted[1];
  }
  const geometry = isJson(upstream.geometry) ? (upstream.geometry as unknown as Geometry) : null;
  return {
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: extensionsOf({ ...properties, ...schemes.toProperties() }, assets, collection.extensions),
    id,
    collection: collection.id,
    geometry,
    ...bboxOf(upstream.bbox, geometry),
    properties: {
      ...properties,
      ...schemes.toProperties(),
      "svc:source_collection": collection.id,
      "svc:mask_source": collection.maskSource,
      "svc:mask_capabilities": collection.maskCapabilities,
      "svc:harmonization": collection.defaultHarmonize,
    },
    assets,
    links: [],
  };
}

function bboxOf(bbox: unknown, geometry: Geometry | null): Pick<Item, "bbox"> {
  if (geometry === null) return {};
  const numbers = numbersOf(bbox) ?? [];
  const corners = { 4: [0, 1, 2, 3], 6: [0, 1, 3, 4] }[numbers.length];
  if (corners !== undefined) return { bbox: corners.map((i) => numbers[i]) as [number, number, number, number] };
  const measured = shapeBbox(footprintShape(geometry));
  return measured === undefined ? {} : { bbox: measured };
}
