import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of recorded documents, where the machine has it. */
export const fixtures: string | undefined = process.env.SWATH_FIXTURES;
/** The folder of JSON Schemas for offline validation. */
export const schemas: string | undefined = process.env.SWATH_SCHEMAS;

export type Document = Record<string, unknown>;

export function recorded(path: string): Document {
  return JSON.parse(readFileSync(join(fixtures ?? "", "stac", path), "utf8")) as Document;
}

/** The items of a recorded item, item collection, array or search page. */
export function recordedItems(path: string): Document[] {
  const document = recorded(path) as Document | Document[];
  if (Array.isArray(document)) return document;
  return document.type === "Feature" ? [document] : (document.features as Document[]);
}
