import { runSpendingCommand } from "../spending/command.ts";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for the spending stop
await runCommandLine((args, store, { spending }, terminal) =>
  runSpendingCommand(args, { store, bounds: spending, ...terminal }),
);
