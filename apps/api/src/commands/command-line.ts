import { type Store, StoreError } from "@swath/store";
import { checkDataDirectory } from "../open/data-directory.ts";
import { type Environment, EnvironmentError, parseEnvironment } from "../open/environment/environment.ts";
import { openStore } from "../open/open-store.ts";

/** The output and the clock of the owner's commands. */
interface Terminal {
  readonly now: () => number;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

const TERMINAL: Terminal = {
  now: Date.now,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
};

/** Runs a command with the settings of the service, whose store is not opened; sets the exit code of the process. */
export async function runWithEnvironment(
  run: (args: readonly string[], environment: Environment, terminal: Terminal) => Promise<number>,
): Promise<void> {
  try {
    const environment = parseEnvironment(process.env);
    await checkDataDirectory(environment.dataDir);
    process.exitCode = await run(process.argv.slice(2), environment, TERMINAL);
  } catch (error) {
    const known = error instanceof EnvironmentError || error instanceof StoreError;
    console.error(known ? `swath: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Runs a command on the store that the service with the same environment uses; sets the exit code of the process. */
export async function runCommandLine(
  run: (args: readonly string[], store: Store, environment: Environment, terminal: Terminal) => Promise<number>,
): Promise<void> {
  try {
    const environment = parseEnvironment(process.env);
    if (environment.databaseUrl === undefined) await checkDataDirectory(environment.dataDir);
    const store = await openStore(environment);
    try {
      process.exitCode = await run(process.argv.slice(2), store, environment, TERMINAL);
    } finally {
      await store.close();
    }
  } catch (error) {
    const known = error instanceof EnvironmentError || error instanceof StoreError;
    console.error(known ? `swath: ${error.message}` : error);
    process.exitCode = 1;
  }
}
