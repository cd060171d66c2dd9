import { SchemaError } from "../errors.ts";
import { suggest } from "../suggest.ts";
import { commonIndices } from "./common-indices.ts";
import { LISTED_INDICES } from "./generated.ts";
import type { IndexSchema } from "./index-schema.ts";

/** All indices: the common ones, then those of Awesome Spectral Indices (Montero et al. 2023, doi:10.1038/s41597-023-02096-0). */
export const indices: readonly IndexSchema[] = [...commonIndices, ...LISTED_INDICES];

const byName = new Map(indices.flatMap((index) => [index.id, ...index.aliases].map((name) => [name, index] as const)));

/**
 * The index with this id or alias.
 *
 * @throws {SchemaError} `unknown-index`.
 */
export function resolveIndex(id: string): IndexSchema {
  const index = byName.get(id);
  if (index !== undefined) return index;
  throw new SchemaError("unknown-index", id, `No index is called "${id}".`, suggest(id, byName.keys()));
}
