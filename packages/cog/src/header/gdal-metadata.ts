/** Facts about one band in GDAL's GDAL_METADATA tag. */
export interface BandInfo {
  readonly name?: string;
  readonly scale?: number;
  readonly offset?: number;
  readonly unit?: string;
}

export interface GdalMetadata {
  /** Items of the file as a whole, default domain. */
  readonly items: Record<string, string>;
  readonly bands: readonly BandInfo[];
  /** Colour interpretation by band, where it is stated. */
  readonly colors: ReadonlyMap<number, string>;
}

const ITEM = /<Item\b([^>]*?)(?:\/>|>([^<]*)<\/Item>)/g;
const ATTRIBUTE = /([\w:]+)\s*=\s*"([^"]*)"/g;

/** Reads the XML of tag 42112 (GDAL GeoTIFF driver, "Metadata"); what does not parse is ignored. */
export function parseGdalMetadata(text: string, bandCount: number): GdalMetadata {
  const items: Record<string, string> = {};
  const bands: { name?: string; scale?: number; offset?: number; unit?: string }[] = Array.from(
    { length: bandCount },
    () => ({}),
  );
  const colors = new Map<number, string>();
  for (const match of text.matchAll(ITEM)) {
    const attributes = new Map<string, string>();
    for (const [, name, value] of (match[1] ?? "").matchAll(ATTRIBUTE)) attributes.set(name!, unescapeXml(value!));
    // GDAL escapes values twice when it writes them, and reads them so
    const value = unescapeXml(unescapeXml(match[2] ?? "")).trim();
    const name = attributes.get("name") ?? "";
    const sample = attributes.get("sample");
    const band = sample === undefined ? undefined : bands[Number(sample)];
    switch (attributes.get("role")) {
      case "scale":
        if (band !== undefined && Number.isFinite(Number(value))) band.scale = Number(value);
        break;
      case "offset":
        if (band !== undefined && Number.isFinite(Number(value))) band.offset = Number(value);
        break;
      case "description":
        if (band !== undefined && value !== "") band.name = value;
        break;
      case "unittype":
        if (band !== undefined && value !== "") band.unit = value;
        break;
      case "colorinterp":
        if (sample !== undefined) colors.set(Number(sample), value.toLowerCase());
        break;
      case undefined:
        if (sample === undefined && name !== "" && !attributes.has("domain")) items[name] = value;
    }
  }
  return { items, bands, colors };
}

const ENTITIES = new Map(Object.entries({ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }));

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** A number at the start of a text, as C's `strtod` reads it, with a point or a comma. */
const NUMBER = /^[-+]?(?:0x[\da-f]+|(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)/;

/**
 * The number of GDAL_NODATA (tag 42113): `nan`, `inf`, `-inf` or a number, which more may follow, as GDAL reads it; undefined where the text
 * does not begin with one.
 */
export function parseNodata(text: string | undefined): number | undefined {
  const word = text?.replace(/\0.*$/s, "").trim().toLowerCase();
  if (word === undefined || word === "") return undefined;
  if (/^[-+]?nan/.test(word) || word === "-1.#ind" || word === "1.#qnan") return Number.NaN;
  if (/^\+?(?:inf|1\.#inf)/.test(word)) return Number.POSITIVE_INFINITY;
  if (/^-(?:inf|1\.#inf)/.test(word)) return Number.NEGATIVE_INFINITY;
  const [number] = NUMBER.exec(word) ?? [];
  if (number === undefined) return undefined;
  const size = Number(number.replace(/^[-+]/, "").replace(",", "."));
  return number.startsWith("-") ? -size : size;
}
