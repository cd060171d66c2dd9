import { runMaintenanceCommand } from "../maintenance/command.ts";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for maintenance
await runCommandLine((args, store, _environment, terminal) => runMaintenanceCommand(args, { store, ...terminal }));
