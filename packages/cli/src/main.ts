import { CatalogError } from "@swath/catalog";
import { suggest } from "@swath/schema";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import packageFacts from "../package.json" with { type: "json" };
import { addDemo } from "./commands/demo.ts";
import { addFiles } from "./commands/files.ts";
import { addNumbers } from "./commands/numbers.ts";
import { addPixels } from "./commands/pixels.ts";
import { addScenes } from "./commands/scenes.ts";
import { addServe } from "./commands/serve.ts";
import type { Context } from "./context.ts";
import { EXIT, type Exit, exitOf, linesOf } from "./failure.ts";
import { type Add, addOptions, type Options } from "./options.ts";

/** A command whose advice on an unknown option is an option that begins so or is nearly that: commander's may be any other. */
class OwnCommand extends Command {
  override createCommand(name?: string): OwnCommand {
    return new OwnCommand(name);
  }

  /** Called by commander. */
  unknownOption(flag: string): never {
    const known = [this, ...(this.parent === null ? [] : [this.parent])].flatMap(({ options }) => options);
    const [near] = suggest(flag, ["--help", ...known.flatMap(({ long }) => long ?? [])], 1);
    const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
    return this.error(`error: unknown option '${flag}'${hint}`, { code: "commander.unknownOption" });
  }
}

/**
 * Runs one command line.
 *
 * @param args what follows `swath`.
 * @returns the exit code, see {@link EXIT}.
 */
export async function main(args: readonly string[], context: Context): Promise<Exit> {
  let exit: Exit = EXIT.done;
  const program = addOptions(new OwnCommand("swath"), ["catalog", "archive", "data", "threads", "json", "csv"])
    .description("Satellite scenes from a catalog: search them, draw them, measure them.")
    .version(packageFacts.version)
    .exitOverride()
    .configureOutput({ writeOut: context.write, writeErr: context.warn })
    .showHelpAfterError("(swath --help shows commands and options)");
  const add: Add = (usage, description, options, action) => {
    const command = addOptions(program.command(usage), options).description(description);
    command.action(async (...given: unknown[]) => {
      const answer = await action(command.optsWithGlobals<Options>(), ...(given.slice(0, -2) as string[]));
      if (answer === false) exit = EXIT.failed;
    });
  };
  for (const addThese of [addScenes, addPixels, addNumbers, addFiles, addServe]) addThese(add, context);
  addDemo(add, context, (line) => main(line, context));
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    // commander has said what is wrong with options; what their readers throw later it has not seen
    if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) {
      return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
    const { catalog } = program.opts<Options>();
    const place = error instanceof CatalogError && catalog !== undefined ? `${catalog}: ` : "";
    for (const line of linesOf(error, context.signal)) context.warn(`swath: ${place}${line}\n`);
    return exitOf(error, context.signal);
  }
}
