import type { PropertyRule } from "@swath/schema/files";
import { type Json, numberOf, textOf } from "../json.ts";

const TILE = /^(\d{1,2})([C-HJ-NP-X])([A-HJ-NP-Z][A-HJ-NP-V])$/;

/**
 * The MGRS tile of an item, with a zone of two digits: `13TDE`, `05CNL`. Read from the rule's property, from the parts
 * under its prefixes, from the grid code, which older items write without the zone's zero (`MGRS-5CNL`), or from the id.
 * `undefined` where none of them names a tile.
 */
export function mgrsTile(
  rule: Extract<PropertyRule, { kind: "mgrs-tile" }>,
  id: string,
  properties: Json,
): string | undefined {
  const named = (prefix: string): string | undefined => {
    const zone = numberOf(properties[`${prefix}:utm_zone`]) ?? textOf(properties[`${prefix}:utm_zone`]);
    const band = textOf(properties[`${prefix}:latitude_band`]);
    const square = textOf(properties[`${prefix}:grid_square`]);
    return zone === undefined || band === undefined || square === undefined ? undefined : `${zone}${band}${square}`;
  };
  const candidates = [
    textOf(properties[rule.property]),
    ...rule.prefixes.map(named),
    textOf(properties[rule.gridCode])?.replace(/^MGRS-/, ""),
    id
      .split("_")
      .find((part) => /^T?\d{1,2}[C-X][A-Z]{2}$/.test(part))
      ?.replace(/^T/, ""),
  ];
  for (const candidate of candidates) {
    const match = TILE.exec(candidate ?? "");
    if (match !== null && Number(match[1]) >= 1 && Number(match[1]) <= 60)
      return `${match[1]?.padStart(2, "0")}${match[2]}${match[3]}`;
  }
  return undefined;
}

/** The grid codes under which an upstream may keep a tile: zones below 10 with and without their zero. */
export function gridCodes(tile: string): string[] {
  const bare = tile.replace(/^0/, "");
  return bare === tile ? [`MGRS-${tile}`] : [`MGRS-${tile}`, `MGRS-${bare}`];
}
