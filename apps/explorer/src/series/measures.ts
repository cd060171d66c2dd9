import type { Quantity } from "../view/analysis-view.ts";

/** The part of `/v1/schema` that is read here. */
export interface SchemaDocument {
  readonly collections: Readonly<
    Record<
      string,
      {
        readonly title: string;
        readonly index_bands: Readonly<Record<string, string>>;
        readonly bands_common?: readonly string[];
        readonly members?: readonly string[];
      }
    >
  >;
  readonly bands: Readonly<
    Record<string, readonly { readonly name: string; readonly common_name?: string; readonly unit?: string }[]>
  >;
  readonly indices: readonly {
    readonly id: string;
    readonly title: string;
    readonly bands: readonly string[];
    readonly expression: string;
    readonly range: readonly number[];
  }[];
}

/** A choice of what to compute. */
export interface MeasureChoice {
  readonly value: string;
  readonly title: string;
  readonly measure: Quantity;
  /** Usual values, for the axis of a chart. */
  readonly range?: readonly [number, number];
}

/** Names that band math may use for a collection: common names, else native ones. */
export function bandNames(schema: SchemaDocument, collection: string): readonly string[] {
  const common = schema.collections[collection]?.bands_common;
  if (common !== undefined) return common;
  const bands = schema.bands[collection] ?? [];
  return bands.filter(({ unit }) => unit !== undefined && unit !== "DN").map((band) => band.common_name ?? band.name);
}

/** Whether all bands that an index reads are known of a collection. `nir` is the narrow near infrared where there is no broad one. */
function isComputable(bands: readonly string[], names: ReadonlySet<string>): boolean {
  return bands.every((band) => names.has(band) || (band === "nir" && names.has("nir08")));
}

/** Returns what can be computed of a collection: its indices, then its bands alone. */
export function measuresOf(
  schema: SchemaDocument,
  collection: string,
): {
  readonly indices: readonly MeasureChoice[];
  readonly bands: readonly MeasureChoice[];
} {
  const names = bandNames(schema, collection);
  const known = new Set(names);
  const indices = schema.indices
    .filter(({ bands }) => isComputable(bands, known))
    .map(
      ({ id, title, range: [least = 0, largest = 1] }): MeasureChoice => ({
        value: id,
        title: `${id.toUpperCase()}: ${title}`,
        measure: { kind: "index", id },
        range: [least, largest],
      }),
    );
  const bands = [...known].map(
    (name): MeasureChoice => ({
      value: `band:${name}`,
      title: name,
      measure: { kind: "expression", text: name },
    }),
  );
  return { indices, bands };
}
