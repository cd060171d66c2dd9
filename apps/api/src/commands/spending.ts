import { EnvironmentError, parseEnvironment } from "../environment.ts";
import { runSpendingCommand } from "../spending/command.ts";
import { openStore } from "../state/open-store.ts";
import { StoreError } from "../state/store.ts";

/** The owner's command line for the spending stop: works on the store that the service with the same environment uses. */
async function main(): Promise<number> {
  const environment = parseEnvironment(process.env);
  const store = await openStore(environment);
  try {
    return await runSpendingCommand(process.argv.slice(2), {
      store,
      bounds: environment.spending,
      now: Date.now,
      print: (line) => console.log(line),
      printError: (line) => console.error(line),
    });
  } finally {
    await store.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const known = error instanceof EnvironmentError || error instanceof StoreError;
    console.error(known ? `swath: ${error.message}` : error);
    process.exitCode = 1;
  },
);
