import type { BandMetadata } from "../options.ts";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Text for XML 1.0 content or attributes in double quotes, escaped as GDAL does; characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] as string);
}

function item(name: string, value: string | number, sample?: number, role?: string): string {
  const band = sample === undefined ? "" : ` sample="${sample}" role="${role}"`;
  // GDAL, which defines this tag, escapes values twice and names once, and undoes that; a bare & would end the value there.
  return `  <Item name="${escapeXml(name)}"${band}>${escapeXml(escapeXml(String(value)))}</Item>\n`;
}

/** The `GDAL_METADATA` document (tag 42112), or `undefined` when there is nothing to say. */
export function toGdalMetadata(
  metadata: Readonly<Record<string, string>>,
  bands: readonly BandMetadata[],
): string | undefined {
  let items = "";
  for (const [name, value] of Object.entries(metadata)) items += item(name, value);
  for (const [sample, band] of bands.entries()) {
    if (band.name !== undefined) items += item("DESCRIPTION", band.name, sample, "description");
    // GDAL keeps scale and offset as a pair: where one is given, the other is written with its neutral value.
    if (band.scale !== undefined || band.offset !== undefined) {
      items += item("OFFSET", band.offset ?? 0, sample, "offset");
      items += item("SCALE", band.scale ?? 1, sample, "scale");
    }
    if (band.unit !== undefined) items += item("UNITTYPE", band.unit, sample, "unittype");
  }
  return items === "" ? undefined : `<GDALMetadata>\n${items}</GDALMetadata>\n`;
}
