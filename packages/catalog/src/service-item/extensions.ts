import { type ExtensionRule, type FieldRule, findPattern } from "@swath/schema/files";
import { isJson, type Json, listOf, numberOf, textOf } from "../json.ts";

interface Extension {
  readonly url: string;
  /** Whether the fields of the extension are there and satisfy its JSON Schema. */
  readonly holds: (properties: Json, assets: readonly Json[]) => boolean;
}

const url = (name: string, version: string): string =>
  `https://stac-extensions.github.io/${name}/v${version}/schema.json`;

const within = (value: unknown, low: number, high: number): boolean =>
  value === undefined || (numberOf(value) !== undefined && (value as number) >= low && (value as number) <= high);

const keysOf = (object: Json, prefix: string): string[] => Object.keys(object).filter((key) => key.startsWith(prefix));

const bandsOf = (asset: Json): readonly Json[] => listOf(asset.bands).filter(isJson);

const PROJECTION_FIELDS = /^proj:(epsg|code|wkt2|projjson|geometry|bbox|centroid|shape|transform)$/;

const isName = (value: unknown): boolean => /^[\w-]+$/.test(textOf(value) ?? "");

/** Whether a list has entries, each with a name where it gives one, or where it has to. */
const namedList = (list: unknown, hasNames: boolean): boolean =>
  listOf(list).length > 0 &&
  listOf(list).every((entry) => isJson(entry) && (hasNames || entry.name !== undefined ? isName(entry.name) : true));

const classificationHolds = (asset: Json): boolean => {
  const { "classification:bitfields": fields, "classification:classes": classes } = asset;
  return (
    (classes === undefined || namedList(classes, true)) &&
    (fields === undefined ||
      (namedList(fields, false) && listOf(fields).every((field) => isJson(field) && namedList(field.classes, true))))
  );
};

const AMAZON = "https://{bucket}.s3.{region}.amazonaws.com";

/** Whether each place has a type and an address, Amazon's the one that all of its buckets have. */
const schemesHold = (schemes: unknown): boolean =>
  isJson(schemes) &&
  Object.values(schemes).every(
    (scheme) =>
      isJson(scheme) &&
      textOf(scheme.type) !== undefined &&
      /^[\w+.-]+:\/\//.test(textOf(scheme.platform) ?? "") &&
      (scheme.type !== "aws-s3" || scheme.platform === AMAZON),
  );

const PROCESSING_FIELDS = /^processing:(expression|lineage|level|facility|software)$/;

/** Marks the position of the extensions of the item's own collection. */
const ITEM_RULES = "item rules";

const EXTENSIONS: readonly (Extension | typeof ITEM_RULES)[] = [
  {
    url: url("eo", "2.0.0"),
    holds: (properties, assets) =>
      properties["eo:cloud_cover"] !== undefined ||
      assets.some((asset) => bandsOf(asset).some((band) => keysOf(band, "eo:").length > 0)),
  },
  {
    url: url("raster", "2.0.0"),
    holds: (_, assets) => assets.some((asset) => bandsOf(asset).some((band) => keysOf(band, "raster:").length > 0)),
  },
  {
    url: url("projection", "1.2.0"),
    holds: (properties, assets) =>
      [properties, ...assets].some((object) => keysOf(object, "proj:").length > 0) &&
      [properties, ...assets].every((object) => keysOf(object, "proj:").every((key) => PROJECTION_FIELDS.test(key))),
  },
  ITEM_RULES,
  { url: url("storage", "2.0.0"), holds: (properties) => schemesHold(properties["storage:schemes"]) },
  {
    url: url("view", "1.0.0"),
    holds: (properties) => {
      const keys = keysOf(properties, "view:");
      return (
        keys.length > 0 &&
        keys.every((key) => VIEW_FIELDS[key] !== undefined && within(properties[key], ...VIEW_FIELDS[key]))
      );
    },
  },
  {
    url: url("grid", "1.1.0"),
    holds: (properties) => /^[A-Z0-9]+-[-_.A-Za-z0-9]+$/.test(textOf(properties["grid:code"]) ?? ""),
  },
  {
    url: url("mgrs", "1.0.0"),
    holds: (properties) =>
      textOf(properties["mgrs:latitude_band"]) !== undefined &&
      textOf(properties["mgrs:grid_square"]) !== undefined &&
      (properties["mgrs:utm_zone"] === undefined || Number.isInteger(properties["mgrs:utm_zone"])),
  },
  {
    url: url("classification", "2.0.0"),
    holds: (_, assets) =>
      assets.some((asset) => keysOf(asset, "classification:").length > 0) && assets.every(classificationHolds),
  },
  {
    url: url("file", "2.1.0"),
    holds: (_, assets) =>
      assets.some((asset) => keysOf(asset, "file:").length > 0) &&
      assets.every(
        (asset) =>
          keysOf(asset, "file:").every((key) => key === "file:checksum" || key === "file:size") &&
          /^[a-f0-9]+$/.test(textOf(asset["file:checksum"]) ?? "0") &&
          Number.isSafeInteger(asset["file:size"] ?? 0),
      ),
  },
  {
    url: url("processing", "1.1.0"),
    holds: (properties) =>
      isJson(properties["processing:software"]) &&
      keysOf(properties, "processing:").every((key) => PROCESSING_FIELDS.test(key)) &&
      Object.values(properties["processing:software"]).every((version) => typeof version === "string"),
  },
  {
    url: url("scientific", "1.0.0"),
    holds: (properties) => /^10\.[0-9a-zA-Z]{4,}\/\S+$/.test(textOf(properties["sci:doi"]) ?? ""),
  },
];

const VIEW_FIELDS: Readonly<Record<string, readonly [number, number]>> = {
  "view:off_nadir": [0, 90],
  "view:incidence_angle": [0, 90],
  "view:azimuth": [0, 360],
  "view:sun_azimuth": [0, 360],
  "view:sun_elevation": [-90, 90],
};

/** Whether an item satisfies a rule of its collection. */
function holdsRule({ prefix, fields, required = [], others }: ExtensionRule, properties: Json): boolean {
  const keys = keysOf(properties, prefix);
  const known = (key: string): FieldRule | undefined => (Object.hasOwn(fields, key) ? fields[key] : undefined);
  return (
    keys.length > 0 &&
    required.every((key) => properties[key] !== undefined) &&
    keys.every((key) => {
      const rule = known(key);
      return rule === undefined ? others : holdsField(rule, properties[key]);
    })
  );
}

function holdsField(rule: FieldRule, value: unknown): boolean {
  if (rule.type === "number") {
    return numberOf(value) !== undefined && within(value, rule.minimum ?? -Infinity, rule.maximum ?? Infinity);
  }
  const text = textOf(value);
  return text !== undefined && (rule.pattern === undefined || findPattern(text, rule.pattern) !== undefined);
}

/**
 * The extensions an item may declare: those it has fields of, if the fields hold what the extension's schema asks.
 *
 * @param rules of the item's collection.
 */
export function extensionsOf(
  properties: Json,
  assets: Readonly<Record<string, Json>>,
  rules: readonly ExtensionRule[],
): string[] {
  const list = Object.values(assets);
  return EXTENSIONS.flatMap((extension) =>
    extension === ITEM_RULES
      ? rules.filter((rule) => holdsRule(rule, properties)).map((rule) => rule.url)
      : extension.holds(properties, list)
        ? [extension.url]
        : [],
  );
}
