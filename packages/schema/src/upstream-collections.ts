import type { UpstreamFile } from "./file/upstream-file.ts";

/** The collections of the upstream that hold a collection's items. */
export function upstreamCollections({ collection, furtherCollections = [] }: UpstreamFile): readonly string[] {
  return [collection, ...furtherCollections];
}
