import { type CsvField, toCsvText } from "@swath/engine";
import type { Terminal } from "./main.ts";
import type { CommonOptions } from "./options.ts";

/** A table as text for people: columns are padded, numbers stand at the right. */
export function toTable(columns: readonly string[], rows: readonly (readonly CsvField[])[]): string {
  const cells = rows.map((row) => row.map((field) => (typeof field === "number" ? shown(field) : (field ?? ""))));
  const widths = columns.map((name, i) => Math.max(name.length, ...cells.map((row) => (row[i] ?? "").length)));
  const isNumber = columns.map((_, i) => rows.some((row) => typeof row[i] === "number"));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((text, i) => (isNumber[i] === true ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return `${[columns, ...cells].map(lineOf).join("\n")}\n`;
}

/** A number with as many digits as people read. */
const shown = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

/** What a command found, in each of the ways it can be printed. */
export interface Printed {
  readonly json: () => unknown;
  /** Default: the table's columns and rows. */
  readonly csv?: () => string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvField[])[];
  /** Lines for people below the table. */
  readonly notes?: readonly (string | undefined)[];
}

/** Prints a result as the options say: a table, `--json` or `--csv`. */
export function print({ write, warn }: Terminal, options: Pick<CommonOptions, "json" | "csv">, found: Printed): void {
  const { columns, rows, notes = [] } = found;
  if (options.json) write(`${JSON.stringify(found.json(), null, 2)}\n`);
  else if (options.csv) write(found.csv?.() ?? toCsvText(columns, rows));
  else if (rows.length > 0) write(toTable(columns, rows));
  for (const note of notes) if (note !== undefined) warn(`${note}\n`);
}

/** Says on a terminal how much of long work is done; writes nothing anywhere else. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #what: string;
  #shown = "";

  constructor(terminal: Terminal, what: string) {
    this.#terminal = terminal;
    this.#what = what;
  }

  /** @param done part of the work, 0 to 1; absent: it has begun. */
  show(done?: number): void {
    if (!this.#terminal.isInteractive) return;
    const text = `${this.#what} ...${done === undefined ? "" : ` ${Math.floor(done * 100)} %`}`;
    if (text === this.#shown) return;
    this.#terminal.warn(`\r${text}\u001B[K`);
    this.#shown = text;
  }

  end(): void {
    if (this.#shown !== "") this.#terminal.warn("\r\u001B[K");
    this.#shown = "";
  }
}
