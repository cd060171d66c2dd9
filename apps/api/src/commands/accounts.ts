import { runAccountsCommand } from "@swath/accounts/owner";
import { installationSecret, secretFor } from "@swath/store/node";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for accounts
await runCommandLine(async (args, store, { accounts, keyPrefix, dataDir }, terminal) => {
  if (accounts === undefined) terminal.printError("Note: with these settings the service has no accounts.");
  const addressKey = secretFor("addresses", await installationSecret(store, dataDir));
  return runAccountsCommand(args, { store, keyPrefix, addressKey, program: "npm run accounts --", ...terminal });
});
