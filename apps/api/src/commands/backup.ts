import { runBackupCommand } from "../open/backup/commands.ts";
import { runWithEnvironment } from "./command-line.ts";

// the owner's command line for a backup; a state of an earlier release is not migrated
await runWithEnvironment((args, settings, terminal) => runBackupCommand(args, { settings, ...terminal }));
