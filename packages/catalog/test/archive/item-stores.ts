import { defaultRegistry } from "@swath/schema";
import { factsOf, type ItemStore, searchedProperties } from "../../src/archive/stored/item-store.ts";
import { type Item, toServiceItem } from "../../src/index.ts";

/** A store whose items are JSON in memory, as those on disk are, and what was read of it. */
export interface CountedStore extends ItemStore {
  /** Whole items that were read. */
  reads: number;
  put(document: unknown): void;
  remove(key: number): void;
}

const NAMES = searchedProperties(defaultRegistry);

/** @param documents items in the shape of upstreams. */
export function storeOf(documents: readonly unknown[]): CountedStore {
  const rows = new Map<number, string>();
  const keys = new Map<string, number>();
  const store: CountedStore = {
    reads: 0,
    put(document) {
      const item = toServiceItem(document);
      if (item === undefined) return;
      const name = `${item.collection}/${item.id}`;
      const key = keys.get(name) ?? keys.size;
      keys.set(name, key);
      rows.set(key, JSON.stringify(item));
    },
    remove: (key) => void rows.delete(key),
    *facts() {
      for (const [key, row] of rows) yield { key, facts: factsOf(JSON.parse(row) as Item, NAMES) };
    },
    item(key) {
      store.reads++;
      const row = rows.get(key);
      return row === undefined ? undefined : (JSON.parse(row) as Item);
    },
  };
  for (const document of documents) store.put(document);
  return store;
}
