/** `UTM zone 33N`. */
export function utmName(epsg: number): string {
  return `UTM zone ${epsg % 100}${epsg >= 32_700 ? "S" : "N"}`;
}
