import { Command, CommanderError, InvalidArgumentError } from "commander";
import packageFacts from "../package.json" with { type: "json" };
import { addFiles } from "./commands/files.ts";
import { addNumbers } from "./commands/numbers.ts";
import { addPixels } from "./commands/pixels.ts";
import { addScenes } from "./commands/scenes.ts";
import { addServe } from "./commands/serve.ts";
import type { Context } from "./context.ts";
import { EXIT, type Exit, exitOf, linesOf } from "./failure.ts";
import { type Options, whole } from "./options.ts";

/** Carries out a command; `false` means that it has done what it should and the answer is no. */
export type Action = (options: Options, ...args: string[]) => Promise<unknown>;
/** Makes a command of the program carry out an action. */
export type On = (command: Command, action: Action) => void;

/**
 * Runs one command line.
 *
 * @param args what follows `swath`.
 * @returns the exit code, see {@link EXIT}.
 */
export async function main(args: readonly string[], context: Context): Promise<Exit> {
  let exit: Exit = EXIT.done;
  const on: On = (command, action) => {
    command.action(async (...given: unknown[]) => {
      const answer = await action(command.optsWithGlobals<Options>(), ...(given.slice(0, -2) as string[]));
      if (answer === false) exit = EXIT.failed;
    });
  };
  const program = new Command("swath")
    .description("Satellite scenes from a catalog: search them, draw them, measure them.")
    .version(packageFacts.version)
    .option("--catalog <[name=]url>", "STAC API to ask, such as https://earth-search.aws.element84.com/v1")
    .option("--archive <folder>", "folder of GeoTIFFs to ask; default: a synthetic archive, made at first")
    .option("--data <folder>", "folder for indexes and the synthetic archive (SWATH_DATA_DIR)")
    .option("--threads <count>", "render threads; default: one for each core", whole)
    .option("--json", "print JSON")
    .option("--csv", "print CSV, where the result is a table")
    .exitOverride()
    .configureOutput({ writeOut: context.write, writeErr: context.warn })
    .showHelpAfterError("(swath --help shows commands and options)");
  for (const add of [addScenes, addPixels, addNumbers, addFiles, addServe]) add(program, context, on);
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    // commander has said what is wrong with options; what their readers throw later it has not seen
    if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) {
      return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
    for (const line of linesOf(error, context.signal)) context.warn(`swath: ${line}\n`);
    return exitOf(error, context.signal);
  }
}
