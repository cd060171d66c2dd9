import { runRestoreCommand } from "../open/backup/commands.ts";
import { runWithEnvironment } from "./command-line.ts";

// the owner's command line for a restore
await runWithEnvironment((args, settings, terminal) => runRestoreCommand(args, { settings, ...terminal }));
