export { type ArchiveOptions, createArchiveCatalog } from "./archive.ts";
export type { Catalog, CatalogOptions, Extent, Gap, ItemPage, MergeableCatalog, Place, PlacedPage } from "./catalog.ts";
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
export { sortItems } from "./order.ts";
export { type PagesOptions, pagesOf } from "./pages.ts";
export {
  itemKey,
  newestOf,
  overpassesAt,
  overpassesOf,
  type Processing,
  toProcessing,
} from "./processings.ts";
export { type Acquisition, type Sensor, sensorOf } from "./satellites.ts";
export { toServiceItem } from "./service-item.ts";
export { factsOf, type ItemFacts, type ItemStore, searchedProperties } from "./stored/item-store.ts";
export { createStoredCatalog, type StoredCatalog } from "./stored/stored-catalog.ts";
export { createUpstreamCatalog } from "./upstream.ts";
export type { UpstreamOptions } from "./upstream-client.ts";
export { type UpstreamProblem, type UpstreamState, UpstreamWatch, watchedCatalog } from "./upstream-watch.ts";
export { createVirtualCatalog, type VirtualOptions } from "./virtual.ts";
