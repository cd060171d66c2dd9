import { Command, CommanderError } from "commander";
import packageFacts from "../package.json" with { type: "json" };
import { addCollections } from "./commands/collections.ts";
import { addExtract } from "./commands/extract.ts";
import { addFiles } from "./commands/files.ts";
import { addSearch } from "./commands/search.ts";
import { addSeries } from "./commands/series.ts";
import { addServe } from "./commands/serve.ts";
import { addStats } from "./commands/stats.ts";
import { addTile } from "./commands/tile.ts";
import { EXIT, type Exit, exitOf, linesOf } from "./failure.ts";
import type { EngineOptions, OpenedEngine } from "./open-engine.ts";
import { count } from "./options.ts";

/** Where a command writes. */
export interface Terminal {
  /** Writes results: text, or the bytes of a file. */
  readonly write: (data: string | Uint8Array) => void;
  /** Writes faults, warnings and progress. */
  readonly warn: (text: string) => void;
  /** Whether a person watches what is written by `warn`. */
  readonly isInteractive: boolean;
}

/** What a command works with. */
export interface Context {
  readonly terminal: Terminal;
  readonly openEngine: (options: EngineOptions) => Promise<OpenedEngine>;
  /** Ends the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs one command on its context, and gives the code that its process exits with. */
export type Run = (work: () => Promise<Exit | undefined>) => Promise<void>;

/**
 * Runs one command line.
 *
 * @param args what follows `swath`.
 * @returns the exit code, see {@link EXIT}.
 */
export async function main(args: readonly string[], context: Context): Promise<Exit> {
  const { terminal } = context;
  let exit: Exit = EXIT.done;
  const run: Run = async (work) => {
    exit = (await work()) ?? EXIT.done;
  };
  try {
    await programOf(context, run).parseAsync([...args], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    for (const line of linesOf(error, context.signal)) terminal.warn(`swath: ${line}\n`);
    return exitOf(error, context.signal);
  }
}

function programOf(context: Context, run: Run): Command {
  const { terminal } = context;
  const program = new Command("swath")
    .description("Satellite scenes from a catalog: search them, draw them, measure them.")
    .version(packageFacts.version)
    .option("--catalog <[name=]url>", "STAC API to ask, such as https://earth-search.aws.element84.com/v1")
    .option("--archive <folder>", "folder of GeoTIFFs to ask; default: a synthetic archive, made at first")
    .option("--data <folder>", "folder for indexes and the synthetic archive (SWATH_DATA_DIR)")
    .option("--threads <count>", "render threads; default: one for each core", count)
    .option("--json", "print JSON")
    .option("--csv", "print CSV, where the result is a table")
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.warn(text) })
    .showHelpAfterError("(swath --help shows commands and options)");
  for (const add of [addSearch, addCollections, addTile, addExtract, addStats, addSeries, addFiles, addServe]) {
    add(program, context, run);
  }
  return program;
}
