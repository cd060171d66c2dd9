import type { SortField } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { isJson, type Json, jsonOf, textOf } from "../../json.ts";
import { COMMON, LISTS, SAME } from "../../names/queried-as.ts";
import type { UpstreamPage } from "../abilities/upstream-client.ts";
import type { Abilities } from "../abilities/upstream-conformance.ts";

/** A part of an order as an upstream can be asked for it. */
export interface UpstreamOrder {
  /** In the upstream's field names; none where it is not asked to sort. */
  readonly fields: readonly SortField[];
  readonly reversed: readonly SortField[];
  /**
   * The number of fields of the order that its pages follow; all items have the same value in the first ones of them.
   */
  readonly follows: number;
  /** Whether these tell any two items apart. */
  readonly isTotal: boolean;
}

/** Names of the collection in an order. */
const COLLECTION_FIELDS: ReadonlySet<string> = new Set(["collection", "svc:source_collection"]);

export function isCollectionField(field: string): boolean {
  return COLLECTION_FIELDS.has(field);
}

/** Whether items of a collection can have a sort field: others have no value. */
export function hasField({ queryables, upstream }: CollectionSchema, field: string): boolean {
  if (field === "id" || isCollectionField(field)) return true;
  if (COMMON.has(field)) return upstream.absentProperties?.includes(field) !== true;
  return queryables.some(({ name }) => name === field);
}

/** Whether every item has a value. */
export function isAlwaysThere(field: string): boolean {
  return field === "id" || field === "datetime" || isCollectionField(field);
}

/**
 * The upstream's fields for one of the service's, in the order of whose values the service's values are; `undefined`
 * where it does not sort so.
 *
 * @param untrusted fields that it was seen to sort otherwise.
 */
function upstreamFields(
  field: string,
  collections: readonly CollectionSchema[],
  { kind, sorts }: Abilities,
  untrusted: ReadonlySet<string>,
): readonly string[] | undefined {
  const { fields, otherProperties } = kind.sort;
  if (!sorts || untrusted.has(field)) return undefined;
  if (field === "id") return Object.hasOwn(fields, "id") ? [fields.id as string] : undefined;
  const owner = collections.find(({ queryables }) => queryables.some(({ name }) => name === field));
  const queryable = owner?.queryables.find(({ name }) => name === field);
  const isSame = SAME.has(field) || queryable?.upstream?.kind === "same";
  const names = queryable?.sortBy ?? (isSame && !LISTS.has(field) ? [field] : undefined);
  const spelt = names?.map((name) => fields[name] ?? (otherProperties ? `properties.${name}` : undefined));
  return spelt?.includes(undefined) === true ? undefined : (spelt as readonly string[] | undefined);
}

/**
 * Returns the order by which an upstream sorts these collections, all of whose items have the same values in the first
 * `known` fields: as many fields as it can be trusted with, and then its ids, so that its pages do not overlap.
 */
export function toUpstreamOrder(
  order: readonly SortField[],
  known: number,
  collections: readonly CollectionSchema[],
  abilities: Abilities,
  untrusted: ReadonlySet<string> = new Set(),
): UpstreamOrder {
  const fields: SortField[] = [];
  let follows = known;
  let isTotal = false;
  for (const { field, direction } of order.slice(known)) {
    // an id is unique except for the collection, which is not looked at any more
    if (isTotal) break;
    const names = upstreamFields(field, collections, abilities, untrusted);
    if (names === undefined) break;
    // where items without a value stand among equal ones is not known
    if (follows > known && !isAlwaysThere(field)) break;
    fields.push(...names.map((name) => ({ field: name, direction })));
    follows += 1;
    isTotal = field === "id";
  }
  const { sorts, kind } = abilities;
  const tieBreakers = isTotal ? ["collection"] : ["id", "collection"];
  for (const name of sorts ? tieBreakers : []) {
    const spelt = kind.sort.fields[name];
    const { direction } = order.find(({ field }) => field === name) ?? { direction: "asc" as const };
    if (spelt !== undefined && !untrusted.has(name)) fields.push({ field: spelt, direction });
  }
  return {
    fields,
    reversed: fields.map(({ field, direction }) => ({ field, direction: direction === "asc" ? "desc" : "asc" })),
    follows,
    isTotal,
  };
}

/** An upstream item's value of one of its own sort fields. */
export function upstreamValue(item: Json, field: string): unknown {
  if (field.startsWith("properties.")) return jsonOf(item.properties)[field.slice("properties.".length)];
  if (isJson(item) && (field === "id" || field === "collection")) return item[field];
  return jsonOf(item.properties)[field];
}

/**
 * The upstream's cursor after an item in a sort order: its sort values joined by commas, as stac-server makes
 * and takes them (`next` becomes `search_after`). `undefined` where a value is missing or has a comma.
 */
export function cursorAt(item: Json, fields: readonly SortField[]): string | undefined {
  const values = fields.map(({ field }) => {
    const value = upstreamValue(item, field);
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  });
  if (values.length === 0) return undefined;
  return values.some((value) => value === undefined || value.includes(",")) ? undefined : values.join(",");
}

/** Sorts after every character of an id. */
const LAST_CHARACTER = "\u{ffff}";

/** A cursor just before the item of a cursor, so that what follows begins with that item. */
export function cursorBefore(cursor: string, fields: readonly SortField[]): string | undefined {
  const values = cursor.split(",");
  const [last, sort] = [values.at(-1) ?? "", fields.at(-1)];
  if (values.length !== fields.length || sort === undefined || last === "") return undefined;
  // a text that is shorter by one character sorts before, one that is longer behind
  return [...values.slice(0, -1), sort.direction === "asc" ? last.slice(0, -1) : last + LAST_CHARACTER].join(",");
}

/**
 * Whether the token in a page's `next` link is what `cursorAt` makes of its last item, numbers compared as numbers: joined
 * by commas, or as newer stac-servers write it, which take commas too, as JSON in base64url.
 * `undefined` where the page does not show it: it has no link, or its last item lacks a value.
 */
export function isMadeOfValues({ items, next }: UpstreamPage, fields: readonly SortField[]): boolean | undefined {
  const last = items.at(-1);
  const made = last && cursorAt(last, fields);
  if (next === undefined || made === undefined) return undefined;
  const given = next.method === "POST" ? partsOf(textOf(next.body.next) ?? "") : [];
  const parts = made.split(",");
  const isSame = (a: string | undefined, b: string): boolean => a === b || (b !== "" && Number(a) === Number(b));
  return given.length === parts.length && parts.every((part, i) => isSame(given[i], part));
}

function partsOf(token: string): string[] {
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const values: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (Array.isArray(values)) return values.map(String);
  } catch {
    // a token that is no base64 of JSON is one of the older form
  }
  return token.split(",");
}
