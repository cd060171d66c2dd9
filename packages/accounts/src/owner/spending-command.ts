import { monthOf } from "../calendar.ts";
import { counted } from "../counted.ts";
import type { OwnerCommand } from "./owner-command.ts";
import { liftStop, readState, SPENDING, type SpendingBounds, spentIn, stopSpending } from "./spending-state.ts";

const usage = (program: string): string => `Usage: ${program} COMMAND
  status    what this month (UTC) has cost, and whether the stop is on
  stop      stops the API, tiles and downloads within a minute on every node
  lift      lifts the stop; the month's allowance is counted again from here`;

/** Bounds, store, clock and terminal of the owner's commands for the spending stop. */
export interface SpendingCommand extends OwnerCommand {
  readonly bounds: SpendingBounds;
}

const BYTES_OF_GB = 1e9;
const gigabytes = (bytes: number): string => `${(bytes / BYTES_OF_GB).toFixed(3)} GB`;

/** Carries out one command of the owner and gives the exit code: 0, or 2 for a wrong command line. */
export async function runSpendingCommand(args: readonly string[], parts: SpendingCommand): Promise<number> {
  const { store, now, print } = parts;
  const [command, ...rest] = args;
  if (rest.length > 0 || !["status", "stop", "lift"].includes(command ?? "")) {
    parts.printError(usage(parts.program));
    return 2;
  }
  if (command === "stop") {
    await store.transaction(SPENDING, (db) => stopSpending(db, "owner", now()));
    print("Stopped. It takes effect within a minute on every node, and lasts until it is lifted.");
  } else if (command === "lift") {
    await store.transaction(SPENDING, (db) => liftStop(db, now()));
    print("Lifted. It takes effect within a minute on every node.");
  } else await status(parts);
  return 0;
}

async function status({ store, bounds, now, print }: SpendingCommand): Promise<void> {
  const month = monthOf(now());
  const [state, spent] = [await readState(store), await spentIn(store, month)];
  const { maxRequests, maxBytes } = bounds;
  const since = state.at === 0 ? "" : ` since ${new Date(state.at).toISOString()}`;
  print(state.state === "stopped" ? `state     stopped by the ${state.by}${since}` : `state     open${since}`);
  print(`month     ${month} (UTC)`);
  print(`requests  ${spent.requests}${maxRequests === undefined ? "" : ` of ${maxRequests}`}`);
  print(`read      ${gigabytes(spent.bytes)}${maxBytes === undefined ? "" : ` of ${gigabytes(maxBytes)}`}`);
  if (state.state === "open" && state.month === month) {
    print(
      `counted   from ${counted(state.spent.requests, "request")} and ${gigabytes(state.spent.bytes)}, when it was lifted`,
    );
  }
}
