import { runAccountsCommand } from "../access/accounts/command.ts";
import { storedAccounts } from "../access/accounts/stored-accounts.ts";
import { storedAccountKeys } from "../access/keys/account-keys.ts";
import { runCommandLine } from "./command-line.ts";

// the owner's command line for accounts
await runCommandLine(async (args, store, { accounts, keyPrefix }, terminal) => {
  if (accounts === undefined) terminal.printError("Note: with these settings the service has no accounts.");
  const keys = storedAccountKeys(store, keyPrefix, terminal.now);
  return runAccountsCommand(args, { accounts: storedAccounts(store, terminal.now), keys, ...terminal });
});
