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

/** Degrees, with or without minutes and seconds, and a letter: `13.77`, `13° 46' 12" E`. */
const angle = (letters: string): string =>
  `(-?\\d+(?:\\.\\d+)?)\\s*°?\\s*(?:(\\d+(?:\\.\\d+)?)\\s*['′’]\\s*)?(?:(\\d+(?:\\.\\d+)?)\\s*["″”]\\s*)?([${letters}])?`;
const POINT = new RegExp(`^\\s*${angle("NS")}\\s*[,;\\s]\\s*${angle("EW")}\\s*$`, "i");

function degreesOf([degrees = "", minutes = "0", seconds = "0", letter = ""]: readonly (string | undefined)[]): number {
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = degrees.startsWith("-") !== /[SW]/i.test(letter);
  // five decimals are a metre
  return Number((isNegative ? -size : size).toFixed(5));
}

/** Latitude and longitude as people write them: `45.55, 13.77`, `45.55 N, 13.77 E`, `45°33'N 13°46'E`. */
export function parsePoint(text: string): Place | undefined {
  const found = POINT.exec(text);
  if (found === null) return undefined;
  const [lat, lon] = [degreesOf(found.slice(1, 5)), degreesOf(found.slice(5))];
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
