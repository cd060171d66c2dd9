/** `2024-07-04, 10:07` in UTC. */
export function dayAndTime(datetime: string): string {
  return `${datetime.slice(0, 10)}, ${datetime.slice(11, 16)} UTC`;
}

/** `sentinel-2a` as it is written. */
export function platformName(platform: string | undefined): string {
  return (platform ?? "")
    .replace(/^\w/, (letter) => letter.toUpperCase())
    .replace(/(\d)([a-z])$/, (_, n, l) => n + l.toUpperCase());
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Bytes in the unit that reads best. */
export function byteSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}

/** `15.20° E`. */
export function coordinates(lon: number, lat: number): string {
  const part = (value: number, positive: string, negative: string): string =>
    `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`;
  return `${part(lat, "N", "S")}, ${part(lon, "E", "W")}`;
}
