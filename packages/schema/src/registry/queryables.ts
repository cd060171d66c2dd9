import type { CollectionSchema } from "../collection/collection.ts";
import type { QueryableFile } from "../file/item-rules.ts";

/** A property that can be queried, in the form that `@swath/query` takes. */
export interface QueryableSchema {
  readonly kind: QueryableFile["kind"];
  readonly schema: Readonly<Record<string, unknown>> & { readonly title: string };
  /** Digits of a number that is stored as text with leading zeros. */
  readonly pad?: number;
}

/** The queryables that these collections add, by name. */
export function queryablesOf(collections: readonly CollectionSchema[]): Record<string, QueryableSchema> {
  return Object.fromEntries(
    collections.flatMap(({ queryables }) => queryables.map((queryable) => [queryable.name, toQueryable(queryable)])),
  );
}

/** The fields that these collections add to what searches can be sorted by: all that they add to what can be queried. */
export function sortFieldsOf(collections: readonly CollectionSchema[]): string[] {
  return [...new Set(collections.flatMap(({ queryables }) => queryables.map(({ name }) => name)))];
}

function toQueryable({ name: _, kind, title, pad, upstream: _upstream, sortBy: _sortBy, ...range }: QueryableFile) {
  const form = {
    string: { type: "string" },
    strings: { type: "array", items: { type: "string" } },
    number: { type: "number" },
    instant: { type: "string", format: "date-time" },
  }[kind];
  return { kind, schema: { title, ...form, ...range }, ...(pad === undefined ? {} : { pad }) };
}
