import { writeFile } from "node:fs/promises";
import { type CsvField, toCsvText } from "@swath/engine";
import { type Engine, openEngine, type Scenes } from "@swath/engine/node";
import { dataFolder, type ScenesOptions } from "./open-scenes.ts";
import type { Options } from "./options.ts";

/** What a command works with. */
export interface Context {
  /** Writes results: text, or the bytes of a file. */
  readonly write: (data: string | Uint8Array) => void;
  /** Writes faults, notes and progress. */
  readonly warn: (text: string) => void;
  /** Whether a person watches what `warn` writes. */
  readonly isWatched: boolean;
  readonly openScenes: (options: ScenesOptions) => Promise<Scenes>;
  /** Ends the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Says how much of a piece of work is done, 0 to 1. */
export type Progress = (done?: number) => void;

/** Opens the engine on the scenes that options name for one piece of work, and closes it afterwards. */
export async function withEngine<T>(
  context: Context,
  options: Options,
  work: (parts: Engine["parts"], progress: Progress) => Promise<T>,
): Promise<T> {
  const { environment, signal, now } = context;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  const session = AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN };
  const keys = accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey, ...session } } : {};
  try {
    const data = dataFolder(options, environment);
    const making = progressOf(context, "Making a synthetic archive (the first time only)");
    const scenes = await context.openScenes({ ...options, data, signal, onMaking: making });
    const s3 = { region: environment.AWS_REGION ?? "us-west-2", ...keys };
    const engine = await openEngine(scenes, { threads: options.threads, s3, ...(now === undefined ? {} : { now }) });
    try {
      return await work(engine.parts, progressOf(context, "Reading scenes"));
    } finally {
      await engine.close();
    }
  } finally {
    if (context.isWatched) context.warn("\r\u001B[K");
  }
}

/** Writes on one line of a terminal, and nowhere else. */
function progressOf({ isWatched, warn }: Context, what: string): Progress {
  return (done) => {
    if (isWatched) warn(`\r${what} ...${done === undefined ? "" : ` ${Math.floor(done * 100)} %`}\u001B[K`);
  };
}

/** What a command found, in each of the ways it can be printed. */
export interface Found {
  readonly json: unknown;
  /** Default: the table's columns and rows. */
  readonly csv?: () => string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvField[])[];
  /** Lines for people beside the table. */
  readonly notes?: readonly (string | undefined)[];
}

/** Prints a result as the options say: a table, `--json` or `--csv`. */
export function print(
  { write, warn }: Context,
  options: Options,
  { json, csv, columns, rows, notes = [] }: Found,
): void {
  if (options.json) return void write(`${JSON.stringify(json, null, 2)}\n`);
  if (options.csv) return void write(csv?.() ?? toCsvText(columns, rows));
  if (rows.length > 0) write(toTable(columns, rows));
  for (const note of notes) if (note !== undefined) warn(`${note}\n`);
}

/** Writes the bytes of a result to a file and says what it holds; to standard output, named `-`, without a word. */
export async function save(
  context: Context,
  options: Options,
  path: string,
  bytes: Uint8Array,
  found: Found,
): Promise<void> {
  if (path === "-") return context.write(bytes);
  await writeFile(path, bytes);
  const columns = ["file", "bytes", ...found.columns];
  const rows = found.rows.map((row) => [path, bytes.byteLength, ...row]);
  const json = { path, bytes: bytes.byteLength, ...(found.json as object) };
  print(context, options, { ...found, columns, rows, json });
}

/** A table as text for people: columns are padded, numbers stand at the right. */
function toTable(columns: readonly string[], rows: readonly (readonly CsvField[])[]): string {
  const isNumber = columns.map((_, i) => rows.some((row) => typeof row[i] === "number"));
  const shown = (field: CsvField): string =>
    typeof field === "number" && !Number.isInteger(field) ? String(Number(field.toPrecision(6))) : String(field ?? "");
  const cells = [columns, ...rows].map((row) => row.map(shown));
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
  const padded = (text: string, i: number): string =>
    isNumber[i] === true ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
  return `${cells.map((row) => row.map(padded).join("  ").trimEnd()).join("\n")}\n`;
}
