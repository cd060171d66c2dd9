import { runSpendingCommand } from "@swath/accounts/owner";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for the spending stop
await runCommandLine((args, store, { spending }, terminal) =>
  runSpendingCommand(args, { store, bounds: spending, program: "npm run spending --", ...terminal }),
);
