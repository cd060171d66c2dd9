export { factsOf, type ItemFacts, type ItemStore, searchedProperties } from "./archive/stored/item-store.ts";
export { createStoredCatalog, type StoredCatalog } from "./archive/stored/stored-catalog.ts";
