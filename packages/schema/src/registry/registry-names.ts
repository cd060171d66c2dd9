import type { AliasSchema } from "../collection/alias.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import { SchemaError } from "../errors.ts";
import type { MaskFile } from "../file/mask-file.ts";

/** A collection and, where it was named by one, the alias with the restriction it implies. */
export interface CollectionMatch {
  readonly collection: CollectionSchema;
  readonly alias?: AliasSchema;
}

/** @throws {SchemaError} `duplicate-name`. */
export function namesOf(collections: readonly CollectionSchema[]): ReadonlyMap<string, CollectionMatch> {
  const byName = new Map<string, CollectionMatch>();
  const add = (name: string, match: CollectionMatch): void => {
    const other = byName.get(name)?.collection;
    if (other !== undefined) {
      const owners = other.id === match.collection.id ? other.id : `${other.id} and ${match.collection.id}`;
      throw new SchemaError("duplicate-name", name, `The id or alias "${name}" is given twice: in ${owners}.`);
    }
    byName.set(name, match);
  };
  for (const collection of collections) {
    add(collection.id, { collection });
    for (const alias of collection.aliases) add(alias.id, { collection, alias });
  }
  return byName;
}

/**
 * Checks what collections say of things that they share.
 *
 * @throws {SchemaError} `conflicting-fact`.
 */
export function checkFacts(collections: readonly CollectionSchema[]): void {
  const said = new Map<string, { readonly text: string; readonly id: string }>();
  const check = (what: string, name: string, fact: unknown, id: string): void => {
    const key = `${what} "${name}"`;
    const text = JSON.stringify(fact);
    const other = said.get(key);
    if (other === undefined) said.set(key, { text, id });
    else if (other.text !== text) {
      throw new SchemaError("conflicting-fact", name, `${other.id} and ${id} say different things of the ${key}.`);
    }
  };
  for (const { id, queryables, mask, storage } of collections) {
    for (const { title: _, ...queryable } of queryables) check("queryable", queryable.name, queryable, id);
    if (mask !== undefined) for (const [part, meaning] of maskParts(mask)) check(part, mask.source, meaning, id);
    for (const bucket of storage.buckets) check("bucket", bucket.name, bucket, id);
    for (const server of storage.servers ?? []) check("server", server.host, server, id);
  }
}

/**
 * Returns the meaning of each value or field of bits of a mask. Sensors without a cirrus band lack fields that others
 * of the same source have, so masks of one source agree field by field.
 */
function maskParts(mask: MaskFile): (readonly [string, unknown])[] {
  if (mask.kind === "class-table") return [["mask source", { ...mask, band: undefined }]];
  return [
    ["mask source", mask.kind],
    ...mask.bits.map((field) => [`bit ${field.bit} of mask source`, field] as const),
    ...(mask.confidences ?? []).map((field) => [`bits ${field.bits.join(" and ")} of mask source`, field] as const),
  ];
}
