/**
 * The ids of the rules that each row of a table checks, where its rows check different ones.
 *
 * @param rules names of the rows that check a rule, by its id. Written out in place: the page of conformance reads it.
 * @param rows names of all rows.
 * @throws Error where a rule names a row that the table has not.
 */
export function rowRules(
  rules: Readonly<Record<string, readonly string[]>>,
  rows: readonly string[],
): (row: string) => string[] {
  for (const [id, names] of Object.entries(rules)) {
    const missing = names.filter((name) => !rows.includes(name));
    if (missing.length > 0) throw new Error(`Rule ${id} names rows that are not there: ${missing.join("; ")}.`);
  }
  const ids = Object.keys(rules);
  return (row) => ids.filter((id) => rules[id]?.includes(row));
}
