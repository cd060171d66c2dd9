import fields from "@radiantearth/stac-fields/fields-normalized.json" with { type: "json" };

/** An entry of the list of fields; its further members are for values as HTML, which are not made here. */
interface Field {
  readonly label: string;
  readonly explain?: string;
  readonly unit?: string;
  readonly format?: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

export interface PropertyRow {
  /** The name in the item. */
  readonly name: string;
  readonly label: string;
  /** The label in full, where it is short for something. */
  readonly explain?: string;
  readonly text: string;
}

/** The properties of one extension. */
export interface PropertyGroup {
  readonly label: string;
  readonly rows: readonly PropertyRow[];
}

const FIELDS = fields.metadata as unknown as Readonly<Record<string, Field>>;
const EXTENSIONS = fields.extensions as unknown as Readonly<Record<string, { readonly label: string }>>;
const GENERAL = "General";
/** Prefixes that no extension in the list has. */
const PREFIXES: Readonly<Record<string, string>> = {
  earthsearch: "Earth Search",
  hls: "HLS",
  sentinel: "Sentinel",
  svc: "Swath",
};
/** Words of names that are written in capital letters. */
const CAPITALS = new Set(["boa", "crs", "epsg", "hls", "id", "mgrs", "msi", "uri", "url", "utm", "wrs"]);
/** Digits that a measured value has at most. */
const DIGITS = 4;

const known = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** `mgrs_tile` as "MGRS tile". */
function wordsOf(name: string): string {
  const words = name.split(/[_-]+/).filter((word) => word !== "");
  const text = words.map((word) => (CAPITALS.has(word.toLowerCase()) ? word.toUpperCase() : word)).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "Sun Azimuth" as "Sun azimuth"; abbreviations stay. */
const sentenceCase = (label: string): string =>
  label.replace(/(?<=[\s-])[A-Z][a-z]+(?![A-Za-z])/g, (word) => word.toLowerCase());

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** The unit of a field: the list's, or percent where its name says so. */
function unitOf(name: string, field: Field | undefined): string | undefined {
  return field?.unit ?? (/(_percentage|_cover)$/.test(name) ? "%" : undefined);
}

function scalarText(value: string | number | boolean, field: Field | undefined, unit: string | undefined): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const mapped = field?.mapping === undefined ? undefined : known(field.mapping, String(value));
  if (mapped !== undefined) return mapped;
  if (field?.format === "EPSG") return `EPSG:${value}`;
  if (field?.format === "Timestamp" && typeof value === "string") return timeText(value);
  if (typeof value === "string") return value;
  if (field?.format === "Percent0to1") return `${Number((value * 100).toPrecision(DIGITS))} %`;
  if (unit === undefined) return String(Number(value.toPrecision(8)));
  return `${Number(value.toPrecision(DIGITS))}${unit === "°" ? "" : " "}${unit}`;
}

/** `2024-07-04T10:07:31.024Z` as `2024-07-04, 10:07:31 UTC`; text of another form as it is. */
function timeText(value: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/.exec(value) ?? [];
  return day === undefined ? value : `${day}, ${time} UTC`;
}

/** A value as plain text: lists with commas, small objects by their members, all else as JSON. */
function valueText(name: string, value: unknown, field: Field | undefined): string {
  const unit = unitOf(name, field);
  if (isScalar(value)) return scalarText(value, field, unit);
  if (Array.isArray(value) && value.every(isScalar)) {
    return value.map((each) => scalarText(each, field, unit)).join(field?.format === "Shape" ? " × " : ", ");
  }
  const members = Object.entries(value ?? {});
  if (!Array.isArray(value) && members.every(([, each]) => isScalar(each))) {
    return members.map(([member, each]) => `${member} ${String(each)}`).join(", ");
  }
  return JSON.stringify(value);
}

function rowOf(name: string, value: unknown): PropertyRow {
  const field = known(FIELDS, name);
  const text = valueText(name, value, field);
  const label = field === undefined ? wordsOf(name.slice(name.indexOf(":") + 1)) : sentenceCase(field.label);
  return { name, label, text, ...(field?.explain === undefined ? {} : { explain: field.explain }) };
}

function groupOf(name: string): string {
  const prefix = name.includes(":") ? name.slice(0, name.indexOf(":")) : "";
  if (prefix === "") return GENERAL;
  return known(EXTENSIONS, prefix)?.label ?? known(PREFIXES, prefix) ?? wordsOf(prefix);
}

/**
 * Properties of an item in words, as plain text: those of the core first, then by extension, each in the order of the item.
 * Labels and units are those of stac-fields.
 */
export function propertyGroups(properties: Readonly<Record<string, unknown>>): readonly PropertyGroup[] {
  const groups = new Map<string, PropertyRow[]>([[GENERAL, []]]);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    const label = groupOf(name);
    groups.set(label, [...(groups.get(label) ?? []), rowOf(name, value)]);
  }
  const [general, ...others] = [...groups].map(([label, rows]) => ({ label, rows }));
  const all = [...(general === undefined ? [] : [general]), ...others.sort((a, b) => a.label.localeCompare(b.label))];
  return all.filter(({ rows }) => rows.length > 0);
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  "application/geo+json": "GeoJSON",
  "application/json": "JSON",
  "application/x-hdf5": "HDF5",
  "application/xml": "XML",
  "image/jp2": "JPEG 2000",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/tiff": "TIFF",
  "image/webp": "WebP",
  "text/html": "HTML",
  "text/plain": "text",
  "text/xml": "XML",
};

/** The name of a media type, such as "GeoTIFF (cloud-optimized)"; the type itself where it has none. */
export function mediaTypeName(type: string): string {
  const [essence = "", ...parameters] = type.split(";").map((part) => part.trim().toLowerCase());
  if (essence === "image/tiff" && parameters.includes("application=geotiff")) {
    return parameters.includes("profile=cloud-optimized") ? "GeoTIFF (cloud-optimized)" : "GeoTIFF";
  }
  return known(MEDIA_TYPES, essence) ?? type;
}
