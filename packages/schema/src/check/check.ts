import type { CollectionSchema } from "../collection/collection.ts";
import { checkCollectionFile, isCollectionFile } from "./collection-file.ts";
import { checkDocument } from "./document.ts";
import type { Finding } from "./finding.ts";
import { checkNames } from "./names.ts";

/**
 * The format that a text is read as. `auto`: JSON when it begins with `{` or `[`, as a collection file when it looks
 * like one, else a list of names.
 */
export type CheckAs = "auto" | "json" | "names" | "collection";

/** Options of a check. */
export interface CheckOptions {
  readonly as?: CheckAs;
  /** The collection of documents and names that name none. */
  readonly collection?: CollectionSchema;
}

/**
 * Checks the names that a text uses - collections, bands, mask classes, units, levels, indices - against schema v1, or
 * a collection file against its model.
 * Never throws: a text that does not parse is a finding.
 */
export function checkText(text: string, options: CheckOptions = {}): Finding[] {
  const { as = "auto", collection } = options;
  const plain = text.replace(/^\uFEFF/, " ");
  if (as === "collection" || (as === "auto" && isCollectionFile(plain))) return checkCollectionFile(plain);
  const json = as === "json" || (as === "auto" && /^\s*[{[]/.test(plain));
  return json ? checkDocument(plain, collection) : checkNames(plain, collection);
}
