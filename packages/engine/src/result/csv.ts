/** A field of a table; `null` and `undefined` are empty. */
export type CsvField = string | number | boolean | null | undefined;

/** Rows as RFC 4180 text below a line that names the columns: lines end in CRLF. */
export function toCsvText(columns: readonly string[], rows: Iterable<readonly CsvField[]>): string {
  return [columns, ...rows].map(csvLine).join("");
}

/** One row as RFC 4180 text with its end of the line. */
export const csvLine = (row: readonly CsvField[]): string => `${row.map(fieldOf).join(",")}\r\n`;

function fieldOf(value: CsvField): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
