export type { Log } from "./log.ts";
export { type Migration, migrate, PARTS_SCHEMA, STORE_TABLES, type TablesOf } from "./migrations.ts";
export { type ObjectAge, type ObjectBounds, type ObjectStore, sweepObjects } from "./objects.ts";
export type {} from "./platform-types.ts";
export {
  type FileRange,
  type ResultPlace,
  type ResultSink,
  type ResultStore,
  ResultStoreError,
  type StoredFile,
} from "./results.ts";
export { claimTurn, keepSetting, readSetting, writeSetting } from "./settings.ts";
export { type Queries, type Store, StoreError, type StoreRow, type StoreValue, type Survives } from "./store.ts";
