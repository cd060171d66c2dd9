/** EPSG code of the UTM zone of a point, by its longitude and hemisphere. */
export function utmZone(lon: number, lat: number): number {
  const zone = Math.min(60, Math.max(1, Math.floor((lon + 180) / 6) + 1));
  return (lat < 0 ? 32_700 : 32_600) + zone;
}

/** `UTM zone 33N`. */
export function utmName(epsg: number): string {
  return `UTM zone ${epsg % 100}${epsg >= 32_700 ? "S" : "N"}`;
}
