export { type ArchiveOptions, createArchiveCatalog } from "./archive/archive.ts";
export type { Catalog, CatalogOptions, Extent, Gap, ItemPage, MergeableCatalog, Place, PlacedPage } from "./catalog.ts";
export { RecentScenes } from "./collections/recent-scenes.ts";
export { type CountOptions, countItems } from "./counts/count-pages.ts";
export type { Count, Counts } from "./counts/counts.ts";
export { CatalogError } from "./errors.ts";
export type { Asset, Item } from "./item/item.ts";
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
