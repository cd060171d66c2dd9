import { runKeysCommand } from "../access/keys/command.ts";
import { storedKeys } from "../access/keys/stored-keys.ts";
import { EnvironmentError, parseEnvironment } from "../environment.ts";
import { openStore } from "../state/open-store.ts";
import { StoreError } from "../state/store.ts";

/** The owner's command line for keys: works on the store that the service with the same environment uses. */
async function main(): Promise<number> {
  const store = await openStore(parseEnvironment(process.env));
  try {
    return await runKeysCommand(process.argv.slice(2), {
      keys: storedKeys(store),
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
