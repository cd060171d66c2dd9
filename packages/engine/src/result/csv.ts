/** A field of a table; `null` and `undefined` are empty. */
export type CsvField = string | number | boolean | null | undefined;

/** Rows as RFC 4180 text below a line that names the columns: lines end in CRLF. */
export function toCsvText(columns: readonly string[], rows: Iterable<readonly CsvField[]>): string {
  const lines = [columns, ...rows].map((row) => row.map(fieldOf).join(","));
  return [...lines, ""].join("\r\n");
}

function fieldOf(value: CsvField): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
