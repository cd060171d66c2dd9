import { readMaintenance, writeMaintenance } from "./maintenance.ts";
import type { OwnerCommand } from "./owner-command.ts";

const MAX_MINUTES = 1440;

const usage = (program: string): string => `Usage: ${program} COMMAND
  status      whether the service is closed, and until when
  on MINUTES  closes it for so long, from 1 to ${MAX_MINUTES}; it opens by itself then
  off         opens it`;

/** Carries out one command of the owner and gives the exit code: 0, or 2 for a wrong command line. */
export async function runMaintenanceCommand(
  args: readonly string[],
  { store, now, program, print, printError }: OwnerCommand,
): Promise<number> {
  const line = args.join(" ");
  const minutes = Number(/^on (\d{1,4})$/.exec(line)?.[1] ?? 0);
  if (minutes >= 1 && minutes <= MAX_MINUTES) {
    const until = now() + minutes * 60_000;
    await writeMaintenance(store, until, now());
    print(`Closed until ${new Date(until).toISOString()}. It takes effect within a minute on every node.`);
  } else if (line === "off") {
    await writeMaintenance(store, now(), now());
    print("Open. It takes effect within a minute on every node.");
  } else if (line === "status") {
    const until = (await readMaintenance(store)) ?? 0;
    print(until > now() ? `closed until ${new Date(until).toISOString()}` : "open");
  } else {
    printError(usage(program));
    return 2;
  }
  return 0;
}
