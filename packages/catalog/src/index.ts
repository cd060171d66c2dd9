export { type ArchiveOptions, createArchiveCatalog } from "./archive.ts";
export type { Catalog, CatalogOptions, Extent, ItemPage, MergeableCatalog, TokenPage } from "./catalog.ts";
export { CatalogError } from "./errors.ts";
export type { Asset, Item } from "./item.ts";
export { createMergedCatalog, type MergedOptions } from "./merged.ts";
export {
  createNeighbourhoodSearch,
  type Neighbourhood,
  type NeighbourhoodOptions,
  type NeighbourhoodRequest,
  type NeighbourhoodSearch,
} from "./neighbourhood.ts";
export {
  itemKey,
  newestOf,
  OVERPASS_MS,
  overpassesOf,
  type Scene as Processing,
  toScene as toProcessing,
} from "./processings.ts";
export { toServiceItem } from "./service-item.ts";
export { factsOf, type ItemFacts, type ItemStore, searchedProperties } from "./stored/item-store.ts";
export { createStoredCatalog, type StoredCatalog } from "./stored/stored-catalog.ts";
export { createUpstreamCatalog } from "./upstream.ts";
export type { UpstreamOptions } from "./upstream-client.ts";
export { createVirtualCatalog, type VirtualOptions } from "./virtual.ts";
