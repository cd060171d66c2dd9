import { type Item, toServiceItem } from "@swath/catalog";
import { footprintShape, shapeBbox } from "@swath/geometry";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import { type Target, targetOf } from "../folder/paths.ts";
import { isJson, type Json } from "../folder/read-json.ts";
import { ARCHIVE } from "../name.ts";

/** Ids that addresses of items may have. */
const ITEM_ID = /^[A-Za-z0-9_.-]{1,128}$/;

export interface ConversionOptions {
  /** Real path of the folder. */
  readonly directory: string;
  /** The item's document, relative to the folder. */
  readonly path: string;
  readonly registry: CollectionRegistry;
  /** Addresses of assets; `undefined` leaves the asset out. Absent: they are as they should be. */
  readonly resolve?: ((target: Target) => string | undefined) | undefined;
}

/** An item of the folder as the service shows it, through the conversion of upstream items, or why it is none. */
export function convertItem(
  document: Json,
  { directory, path, registry, resolve }: ConversionOptions,
): { readonly item: Item } | { readonly fault: string } {
  const prepared =
    resolve === undefined ? document : withAssets(document, (asset) => resolved(asset, directory, path, resolve));
  try {
    const item = toServiceItem(prepared, registry, ARCHIVE);
    if (item === undefined) return { fault: faultOf(prepared) };
    if (!ITEM_ID.test(item.id)) {
      return { fault: `expected an id of at most 128 letters, digits and . _ -, got ${shownId(item.id)}` };
    }
    if (!hasPlace(item)) return { fault: `an item whose footprint is no geometry: ${shownId(item.id)}` };
    if (Object.values(item.assets).some((asset) => asset["svc:band"] !== undefined)) return { item };
    const collection = registry.find(item.collection)?.collection;
    if (collection === undefined) return { item };
    return { item: toServiceItem(byCommonName(prepared, collection), registry, ARCHIVE) ?? item };
  } catch (error) {
    // a footprint that is no geometry, members nested too deeply
    if (error instanceof TypeError || error instanceof RangeError) return { fault: `no usable item: ${error.message}` };
    throw error;
  }
}

/** Whether searches can compare the footprint; an item without one is found by its other members. */
function hasPlace({ geometry }: Item): boolean {
  return geometry === null || shapeBbox(footprintShape(geometry))?.every(Number.isFinite) === true;
}

function shownId(id: string): string {
  return JSON.stringify(id).slice(0, 200);
}

function faultOf({ id, collection }: Json): string {
  if (typeof id !== "string" || id === "") return "an item without an id";
  const of =
    typeof collection === "string" ? `of the collection ${JSON.stringify(collection)}` : "without a collection";
  return `an item ${of}, which no collection file describes: ${shownId(id)}`;
}

function withAssets(document: Json, change: (asset: Json, key: string) => readonly [string, Json] | undefined): Json {
  const assets = isJson(document.assets) ? document.assets : {};
  const changed = Object.entries(assets).flatMap(([key, asset]) => {
    const entry = isJson(asset) ? change(asset, key) : undefined;
    return entry === undefined ? [] : [[entry[0] === "" ? key : entry[0], entry[1]] as const];
  });
  return { ...document, assets: Object.fromEntries(changed) };
}

function resolved(
  asset: Json,
  directory: string,
  path: string,
  resolve: (target: Target) => string | undefined,
): readonly [string, Json] | undefined {
  const { href, type, alternate: _, ...rest } = asset;
  if (typeof href !== "string") return undefined;
  const found = resolve(targetOf(directory, path, href));
  if (found === undefined) return undefined;
  const known =
    typeof type === "string" ? type : /\.tiff?$/i.test(href) ? "image/tiff; application=geotiff" : undefined;
  return ["", { ...rest, href: found, ...(known === undefined ? {} : { type: known }) }];
}

/** Assets under the names of the bands whose common names they have. */
function byCommonName(document: Json, { bands }: CollectionSchema): Json {
  return withAssets(document, (asset, key) => {
    const names = [key, ...namesIn(asset.bands), ...namesIn(asset["eo:bands"])];
    const band = bands.find(({ name, commonName, aliases }) =>
      names.some((each) => each === name || each === commonName || aliases.includes(each)),
    );
    return [band?.name ?? key, asset];
  });
}

/** Names of the only band of an asset. */
function namesIn(bands: unknown): readonly string[] {
  if (!Array.isArray(bands) || bands.length !== 1 || !isJson(bands[0])) return [];
  const { name, common_name, "eo:common_name": commonName } = bands[0];
  return [name, common_name, commonName].filter((each) => typeof each === "string");
}
