/** Units as they are, with at most four decimals: `0.0417`, `12.5`, `1,234`. */
export function unitText(units: number): string {
  return units.toLocaleString("en", { maximumFractionDigits: 4 });
}

/** `1 unit`, `2.5 units`. */
export function unitsOf(units: number): string {
  const text = unitText(units);
  return `${text} ${text === "1" ? "unit" : "units"}`;
}

/** Units with three digits or so, where nothing depends on the rest: `333`, `12.5`. */
export function roughUnits(units: number): string {
  return units.toLocaleString("en", { maximumSignificantDigits: 3 });
}
