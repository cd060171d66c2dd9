import { createReadStream } from "node:fs";
import { copyFile, realpath, stat, writeFile } from "node:fs/promises";
import { type Engine, openEngine, type SceneSource } from "@swath/engine/node";
import { type CsvField, toCsvText } from "@swath/engine/results";

import { dataFolder, type ScenesOptions } from "./open-scenes.ts";
import type { Options } from "./options.ts";
import { replaceFile } from "./replace-file.ts";

/** The parts that a command uses. */
export interface Context {
  /** Writes results: text, or bytes of a file. */
  readonly write: (data: string | Uint8Array) => unknown;
  /** Writes faults, notes and progress. */
  readonly warn: (text: string) => unknown;
  /** Whether `warn` writes to a terminal. */
  readonly isWatched: boolean;
  readonly openScenes: (options: ScenesOptions) => Promise<SceneSource>;
  /** Ends the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Options for carrying out a request: its signal ends with the command, and a terminal shows its progress, 0 to 1. */
interface Running {
  readonly signal: AbortSignal;
  readonly onProgress: (done?: number) => void;
}

/** Opens the engine on the scenes that options name for one piece of work, and closes it afterwards. */
export async function withEngine<T>(
  context: Context,
  options: Options,
  work: (engine: Engine, running: Running) => Promise<T>,
): Promise<T> {
  const { environment, signal, now, isWatched, warn } = context;
  const progress = (what: string) => (done?: number) =>
    isWatched && warn(`\r${what} ...${done === undefined ? "" : ` ${Math.floor(done * 100)} %`}\u001B[K`);
  try {
    const data = dataFolder(options, environment);
    const onMaking = progress("Making a synthetic archive (the first time only)");
    const lines = (what: string) => (each: readonly string[]) => {
      for (const line of each) warn(`swath: ${what}: ${line}\n`);
    };
    const notes = { onLeftOut: lines("not served"), onRemarks: lines("note") };
    const scenes = await context.openScenes({ ...options, data, signal, onMaking, ...notes });
    const clock = now === undefined ? {} : { now };
    const engine = await openEngine(scenes, { threads: options.threads, s3: s3Of(environment), ...clock });
    const onProgress = progress("Reading scenes");
    onProgress();
    return await work(engine, { signal, onProgress }).finally(() => engine.close());
  } finally {
    if (isWatched) warn("\r\u001B[K");
  }
}

function s3Of({ AWS_REGION: region = "us-west-2", ...rest }: Context["environment"]) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = rest;
  if (accessKeyId === undefined || secretAccessKey === undefined) return { region };
  return { region, credentials: { accessKeyId, secretAccessKey, ...(token && { sessionToken: token }) } };
}

/** The result of a command, in each of the forms in which it can be printed. */
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
export function print(context: Context, options: Options, { json, csv, columns, rows, notes = [] }: Found): void {
  if (options.json) context.write(`${JSON.stringify(json, null, 2)}\n`);
  else if (options.csv) context.write(csv?.() ?? toCsvText(columns, rows));
  else {
    if (rows.length > 0) context.write(toTable(columns, rows));
    for (const note of notes) if (note !== undefined) context.warn(`${note}\n`);
  }
}

/**
 * Writes a result to a file and says what it holds; to standard output, named `-`, without a word.
 *
 * @param data its bytes, or the path of a file that holds them.
 */
export async function save(context: Context, options: Options, path: string, data: Uint8Array | string, found: Found) {
  const isFile = typeof data === "string";
  if (path === "-") {
    for await (const part of isFile ? createReadStream(data) : [data]) await context.write(part);
    return;
  }
  await put(path, data);
  const { size: bytes } = await stat(path);
  const columns = ["file", "bytes", ...found.columns];
  const rows = found.rows.map((row) => [path, bytes, ...row]);
  print(context, options, { ...found, columns, rows, json: { path, bytes, ...(found.json as object) } });
}

/** Writes a file under its name when all of it is there: a command that is killed leaves the file of that name as it was. */
async function put(path: string, data: Uint8Array | string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  // a device or a pipe is written to, not replaced
  if (there !== undefined && !there.isFile()) {
    await writeFile(path, typeof data === "string" ? createReadStream(data) : data);
    return;
  }
  await replaceFile(there === undefined ? path : await realpath(path), (part) =>
    typeof data === "string" ? copyFile(data, part) : writeFile(part, data),
  );
}

/** A table as text for people: columns are padded, numbers stand at the right and have six digits. */
function toTable(columns: readonly string[], rows: readonly (readonly CsvField[])[]): string {
  const shown = (field: CsvField): string =>
    typeof field === "number" && !Number.isInteger(field) ? String(Number(field.toPrecision(6))) : String(field ?? "");
  const cells = [columns, ...rows].map((row) => row.map(shown));
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const padded = (text: string, i: number): string =>
    rows.some((row) => typeof row[i] === "number") ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
  return `${cells.map((row) => row.map(padded).join("  ").trimEnd()).join("\n")}\n`;
}
