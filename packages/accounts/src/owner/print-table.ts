/** Prints rows of text as columns, the first row as their heads. */
export function printTable(rows: readonly (readonly string[])[], print: (line: string) => void): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    print(cells.join("  ").trimEnd());
  }
}
