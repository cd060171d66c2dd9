/** Characters of the rows of one answer; what is beyond is in the structured content alone. */
const MAX_CHARACTERS = 100_000;

/** Writes rows: all of them, except in answers with very many. */
export function rowsText(rows: readonly string[]): readonly string[] {
  let left = MAX_CHARACTERS;
  const end = rows.findIndex((row) => {
    left -= row.length + 1;
    return left < 0;
  });
  if (end < 0) return rows;
  return [
    ...rows.slice(0, end),
    `${rows.length - end} more rows in the structured content: ask for less time, or fewer outputs.`,
  ];
}
