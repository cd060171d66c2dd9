import { runMaintenanceCommand } from "@swath/accounts/owner";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for maintenance
await runCommandLine((args, store, _environment, terminal) =>
  runMaintenanceCommand(args, { store, program: "npm run maintenance --", ...terminal }),
);
