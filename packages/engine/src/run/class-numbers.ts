/** A number, 0 to 255, for each stored sample of a mask band, 0 to 65,535. */
export interface ClassNumbers {
  /** Numbers of the first samples, from 0; at least one. */
  readonly numbers: readonly number[];
  /** The number of all further samples; `repeat`: they begin again, since bits beyond have no meaning. */
  readonly beyond: number | "repeat";
  /** The number where no scene holds data. */
  readonly missing: number;
}

const SAMPLES = 65_536;
/** Tables are small, and the few masks there are come again with every block. */
const MAX_TABLES = 64;
const tables = new Map<string, Uint8Array>();

/** Stored sample, 0 to 65,535, to its number. */
export function classNumbersTable({ numbers, beyond }: ClassNumbers): Uint8Array {
  const key = JSON.stringify([numbers, beyond]);
  let table = tables.get(key);
  if (table === undefined) {
    if (tables.size >= MAX_TABLES) tables.clear();
    const { length } = numbers;
    table = Uint8Array.from({ length: SAMPLES }, (_, sample) =>
      beyond === "repeat" ? (numbers[sample % length] as number) : (numbers[sample] ?? beyond),
    );
    tables.set(key, table);
  }
  return table;
}
