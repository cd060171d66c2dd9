export { type ArchiveOptions, createArchiveCatalog } from "./archive.ts";
export type { Catalog, CatalogOptions, Extent, ItemPage } from "./catalog.ts";
export { CatalogError } from "./errors.ts";
export type { Asset, Item } from "./item.ts";
export { toServiceItem } from "./service-item.ts";
