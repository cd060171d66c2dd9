import { runKeysCommand, storedKeys } from "@swath/accounts";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for keys
await runCommandLine((args, store, _environment, terminal) =>
  runKeysCommand(args, { keys: storedKeys(store), program: "npm run keys --", ...terminal }),
);
