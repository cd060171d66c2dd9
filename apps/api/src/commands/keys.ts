import { storedKeys } from "@swath/accounts";
import { runKeysCommand } from "../access/keys-command.ts";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for keys
await runCommandLine((args, store, _environment, terminal) =>
  runKeysCommand(args, { keys: storedKeys(store), ...terminal }),
);
