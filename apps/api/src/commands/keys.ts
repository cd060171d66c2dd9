import { runKeysCommand } from "@swath/accounts/owner";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for keys
await runCommandLine((args, store, _environment, terminal) =>
  runKeysCommand(args, { store, program: "npm run keys --", ...terminal }),
);
