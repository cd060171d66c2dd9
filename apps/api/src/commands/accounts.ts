import { AccountRows, runAccountsCommand, storedAccountKeys, storedAccounts } from "@swath/accounts";
import { installationSecret, secretFor } from "@swath/store/node";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for accounts
await runCommandLine(async (args, store, { accounts, keyPrefix, dataDir }, terminal) => {
  if (accounts === undefined) terminal.printError("Note: with these settings the service has no accounts.");
  const keys = storedAccountKeys(store, keyPrefix, terminal.now);
  const addressKey = secretFor("addresses", await installationSecret(store, dataDir));
  const rows = new AccountRows({ now: terminal.now, addressKey });
  return runAccountsCommand(args, {
    accounts: storedAccounts(store, rows, terminal.now),
    keys,
    program: "npm run accounts --",
    ...terminal,
  });
});
