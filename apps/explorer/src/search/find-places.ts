import type { MapView } from "../view/view.ts";

/** A place as the file of places has it: name, country code, longitude and latitude in hundredths of a degree. */
export type PlaceRow = readonly [name: string, country: string, lon: number, lat: number];

export interface Place {
  readonly title: string;
  readonly view: MapView;
}

const MOST = 8;
const HUNDREDTHS = 100;
/** Zoom at which a place is shown with its surroundings. */
const ZOOM = 10;

/** A text without case and accents, so that "Malmo" finds "Malmö". */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const regions = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

/** Longitude and latitude as people write them: `45.55, 13.77`, `45.55 N, 13.77 E`; the latitude comes first. */
export function parsePoint(text: string): Place | undefined {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*°?\s*([EW])?\s*$/i.exec(text);
  if (found === null) return undefined;
  const [, north = "", ns = "N", east = "", ew = "E"] = found;
  const lat = Number(north) * (ns.toUpperCase() === "S" ? -1 : 1);
  const lon = Number(east) * (ew.toUpperCase() === "W" ? -1 : 1);
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return undefined;
  return { title: `${lat}, ${lon}`, view: { zoom: ZOOM, lat, lon } };
}

/** Places whose name begins with a text, then those that have it elsewhere; large ones first, as the rows come. */
export function findPlaces(text: string, rows: readonly PlaceRow[]): readonly Place[] {
  const point = parsePoint(text);
  if (point !== undefined) return [point];
  const wanted = plain(text.trim());
  if (wanted.length < 2) return [];
  const named = rows.map((row) => ({ row, at: plain(row[0]).indexOf(wanted) })).filter(({ at }) => at >= 0);
  const ordered = [...named.filter(({ at }) => at === 0), ...named.filter(({ at }) => at > 0)];
  return ordered.slice(0, MOST).map(({ row: [name, country, lon, lat] }) => ({
    title: `${name}, ${regions.of(country) ?? country}`,
    view: { zoom: ZOOM, lat: lat / HUNDREDTHS, lon: lon / HUNDREDTHS },
  }));
}
