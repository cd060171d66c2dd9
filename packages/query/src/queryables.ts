/** The type by which values of a property are read and compared. */
export type QueryableKind = "string" | "strings" | "number" | "boolean" | "instant" | "date" | "geometry";

/** A property that can be queried, as JSON Schema 2020-12. */
export interface Queryable {
  readonly kind: QueryableKind;
  readonly schema: Readonly<Record<string, unknown>> & { readonly title: string };
  /** Digits of a number that is stored as text with leading zeros. */
  readonly pad?: number;
}

const text = (title: string): Queryable => ({ kind: "string", schema: { title, type: "string" } });
const number = (title: string, range: Readonly<Record<string, number>> = {}): Queryable => ({
  kind: "number",
  schema: { title, type: "number", ...range },
});
const instant = (title: string): Queryable => ({
  kind: "instant",
  schema: { title, type: "string", format: "date-time" },
});

/** Properties that can be queried, by their names without `properties.`. */
export type Queryables = Readonly<Record<string, Queryable>>;

/** The properties that items of every collection may have. Collections add their own. */
export const QUERYABLES: Queryables = {
  datetime: instant("Acquisition time"),
  platform: text("Platform"),
  constellation: text("Constellation"),
  instruments: { kind: "strings", schema: { title: "Instruments", type: "array", items: { type: "string" } } },
  "eo:cloud_cover": number("Cloud cover, percent", { minimum: 0, maximum: 100 }),
  "svc:source_collection": text("Native collection"),
  gsd: number("Ground sample distance, metres", { exclusiveMinimum: 0 }),
  created: instant("Metadata created"),
  updated: instant("Metadata updated"),
  "view:sun_elevation": number("Sun elevation, degrees", { minimum: -90, maximum: 90 }),
  "view:sun_azimuth": number("Sun azimuth, degrees", { minimum: 0, maximum: 360 }),
};

/** Queryables of CQL2 besides properties: a filter may name these and the properties. */
export const FILTER_QUERYABLES: Queryables = {
  id: text("Item identifier"),
  collection: text("Collection"),
  geometry: { kind: "geometry", schema: { title: "Footprint", format: "geometry-any" } },
};

/** The entry of a property, named with or without `properties.`; `undefined` where it cannot be queried. */
export function findQueryable(
  name: string,
  queryables: Queryables = QUERYABLES,
): (Queryable & { readonly name: string }) | undefined {
  const bare = name.replace(/^properties\./, "");
  const queryable = Object.hasOwn(queryables, bare) ? queryables[bare] : undefined;
  return queryable === undefined ? undefined : { ...queryable, name: bare };
}
