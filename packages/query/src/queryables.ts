/** How values of a property are read and compared. */
export type QueryableKind = "string" | "strings" | "number" | "instant";

/** A property that can be asked for, as JSON Schema 2020-12 says it. */
export interface Queryable {
  readonly kind: QueryableKind;
  readonly schema: Readonly<Record<string, unknown>> & { readonly title: string };
  /** Digits of a number that is stored as text with leading zeros. */
  readonly pad?: number;
}

const text = (title: string): Queryable => ({ kind: "string", schema: { title, type: "string" } });
const padded = (title: string, pad: number): Queryable => ({ ...text(title), pad });
const number = (title: string, range: Readonly<Record<string, number>> = {}): Queryable => ({
  kind: "number",
  schema: { title, type: "number", ...range },
});
const instant = (title: string): Queryable => ({
  kind: "instant",
  schema: { title, type: "string", format: "date-time" },
});

/** Every property that `query` takes, by its name without `properties.`. */
export const QUERYABLES: Readonly<Record<string, Queryable>> = {
  datetime: instant("Acquisition time"),
  platform: text("Platform"),
  constellation: text("Constellation"),
  instruments: { kind: "strings", schema: { title: "Instruments", type: "array", items: { type: "string" } } },
  "eo:cloud_cover": number("Cloud cover, percent", { minimum: 0, maximum: 100 }),
  "s2:mgrs_tile": text("Sentinel-2 tile"),
  "s2:processing_baseline": text("Sentinel-2 processing baseline"),
  "landsat:wrs_path": padded("Landsat WRS path", 3),
  "landsat:wrs_row": padded("Landsat WRS row", 3),
  "svc:source_collection": text("Native collection"),
  gsd: number("Ground sample distance, metres", { exclusiveMinimum: 0 }),
  created: instant("Metadata created"),
  updated: instant("Metadata updated"),
  "view:sun_elevation": number("Sun elevation, degrees", { minimum: -90, maximum: 90 }),
  "view:sun_azimuth": number("Sun azimuth, degrees", { minimum: 0, maximum: 360 }),
  "landsat:collection_category": text("Landsat collection category"),
  "s2:nodata_pixel_percentage": number("Pixels without data, percent", { minimum: 0, maximum: 100 }),
};

/** The entry of a property, named with or without `properties.`; `undefined` where it cannot be asked for. */
export function findQueryable(name: string): (Queryable & { readonly name: string }) | undefined {
  const bare = name.replace(/^properties\./, "");
  const queryable = Object.hasOwn(QUERYABLES, bare) ? QUERYABLES[bare] : undefined;
  return queryable === undefined ? undefined : { ...queryable, name: bare };
}
