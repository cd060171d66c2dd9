import { globSync, readFileSync } from "node:fs";
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

/** A recorded file with the items in it. */
export interface RecordedFile {
  /** Below the folder of fixtures. */
  readonly path: string;
  readonly document: unknown;
  readonly items: readonly Document[];
}

/** Recorded files of live archives and of `stac`, in the order of their paths; none where the machine lacks them. */
export function recordedFiles(folder = ""): readonly RecordedFile[] {
  if (fixtures === undefined) return [];
  return ["live", "stac"]
    .flatMap((part) => globSync(`${part}/${folder === "" ? "**" : `${folder}/**`}/*.json`, { cwd: fixtures }))
    .sort()
    .map((path) => {
      const document: unknown = JSON.parse(readFileSync(join(fixtures as string, path), "utf8"));
      return { path, document, items: itemsIn(document) };
    });
}

/** Items of an item, an item collection, a list of them, or a recorded answer. */
function itemsIn(document: unknown): Document[] {
  if (Array.isArray(document)) return document.flatMap(itemsIn);
  if (typeof document !== "object" || document === null) return [];
  const { type, features, response } = document as Document;
  if (response !== undefined) return itemsIn((response as Document).body);
  if (type === "FeatureCollection") return itemsIn(features);
  return type === "Feature" ? [document as Document] : [];
}
