import type { Store } from "@swath/store";

/** Store, clock and terminal of the owner's commands. */
export interface OwnerCommand {
  readonly store: Store;
  readonly now: () => number;
  /** Words that the command line begins with, for its usage. */
  readonly program: string;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}
