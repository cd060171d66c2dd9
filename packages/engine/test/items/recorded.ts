import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Item, toServiceItem } from "@swath/catalog";

/** The folder of recorded documents, where the machine has it. */
export const fixtures = process.env.SWATH_FIXTURES;

/** A recorded document as the archive sent it. */
export function recorded(path: string): unknown {
  return JSON.parse(readFileSync(join(fixtures ?? "", path), "utf8"));
}

/** The items of a recorded item, list or search page, as the service shows them; those of no collection are left out. */
export function recordedItems(path: string): readonly Item[] {
  const document = recorded(path) as { readonly features?: readonly unknown[] };
  const all: readonly unknown[] = Array.isArray(document) ? document : (document.features ?? [document]);
  return all.flatMap((each) => toServiceItem(each) ?? []);
}

/** Ten overpasses of tile 13TDE in Colorado, the newest first: every second one is west of it, and covers its east alone. */
export const COLORADO = "stac/earth-search/v1/sentinel-2-c1-l2a.T13TDE-10-items.json";
/** A scene of Sentinel-2, of a collection that is not served, and one of Landsat 8 over the same place, 2023-10-08. */
export const COLORADO_PAIR = "stac/earth-search/v1/search-two-collections-page1.body.json";
