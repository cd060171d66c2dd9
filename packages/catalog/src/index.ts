export { type ArchiveOptions, createArchiveCatalog } from "./archive/archive.ts";
export { factsOf, type ItemFacts, type ItemStore, searchedProperties } from "./archive/stored/item-store.ts";
export { createStoredCatalog, type StoredCatalog } from "./archive/stored/stored-catalog.ts";
export type { Catalog, CatalogOptions, Extent, Gap, ItemPage, MergeableCatalog, Place, PlacedPage } from "./catalog.ts";
export {
  type CollectionParameters,
  type CollectionSearch,
  foundCollections,
  parseCollectionSearch,
  type SearchedCollection,
} from "./collections/collection-search.ts";
export { RecentScenes } from "./collections/recent-scenes.ts";
export { type CountOptions, countItems } from "./counts/count-pages.ts";
export type { Count, Counts } from "./counts/counts.ts";
export { type Cover, coverageText } from "./coverage.ts";
export { aggregationEntry, aggregationsOf, type CountsDocument, countsDocument } from "./documents/aggregations.ts";
export {
  QUERYABLES_REL,
  queryablesDocument,
  SCHEMA_JSON,
  SORTABLES_REL,
  sortablesDocument,
} from "./documents/queryables.ts";
export { CatalogError } from "./errors.ts";
export type { Asset, Item } from "./item/item.ts";
export {
  itemKey,
  newestOf,
  overpassesAt,
  overpassesOf,
  type Processing,
  toProcessing,
} from "./item/processings.ts";
export { type Acquisition, type Sensor, sensorOf } from "./item/satellites.ts";
export { createMergedCatalog, type MergedOptions } from "./merged/merged.ts";
export {
  createNeighbourhoodSearch,
  type Neighbourhood,
  type NeighbourhoodOptions,
  type NeighbourhoodRequest,
  type NeighbourhoodSearch,
} from "./neighbourhood.ts";
export { sortItems } from "./order/order.ts";
export { type PagesOptions, pagesOf } from "./pages.ts";
export { toServiceItem } from "./service-item/service-item.ts";
export type { UpstreamOptions } from "./upstream/abilities/upstream-client.ts";
export { createUpstreamCatalog } from "./upstream/upstream.ts";
export { type UpstreamProblem, type UpstreamState, UpstreamWatch, watchedCatalog } from "./upstream/upstream-watch.ts";
export { createVirtualCatalog, type VirtualOptions } from "./virtual/virtual.ts";
