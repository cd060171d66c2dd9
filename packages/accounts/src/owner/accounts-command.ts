import { parseArgs } from "node:util";
import { type AccountKeys, storedAccountKeys } from "../keys/account-keys.ts";
import { ACCOUNT_TIERS, AccountError, type AccountTier } from "../people/account.ts";
import { AccountRows } from "../people/account-rows.ts";
import { parseEmailAddress } from "../people/email-address.ts";
import { type StoredAccounts, storedAccounts } from "../people/stored-accounts.ts";
import type { OwnerCommand } from "./owner-command.ts";
import { printTable } from "./print-table.ts";

const usage = (program: string): string => `Usage: ${program} COMMAND
  list                                        the accounts
  create --email E [--tier free|pro] [--key]  an account for a person, and with --key a key, which is shown once; both
                                              work when the person has followed a mailed link
  set E --tier free|pro                       another tier, within a minute on every node
  suspend E                                   keys, tokens and sessions of the account stop within a minute
  resume E                                    they work again`;

/** A command line that cannot be carried out; `message` is one line. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Settings, store, clock and terminal of the owner's commands for accounts. */
export interface AccountsCommand extends OwnerCommand {
  /** Prefix of self-service keys, before `_`. */
  readonly keyPrefix: string;
  /** Key of the installation for hashes of the addresses of deleted accounts. */
  readonly addressKey: Uint8Array;
}

/** Carries out one command of the owner and gives the exit code: 0, 1 for what cannot be done, 2 for a wrong command line. */
export async function runAccountsCommand(args: readonly string[], parts: AccountsCommand): Promise<number> {
  try {
    await carryOut(args, parts);
    return 0;
  } catch (error) {
    if (error instanceof AccountError) {
      parts.printError(error.message);
      return 1;
    }
    const badOption = (error as { code?: unknown }).code?.toString().startsWith("ERR_PARSE_ARGS") === true;
    if (!(error instanceof UsageError) && !badOption) throw error;
    parts.printError((error as Error).message);
    parts.printError(usage(parts.program));
    return 2;
  }
}

function tierOf(text: string): AccountTier {
  const tier = ACCOUNT_TIERS.find((each) => each === text);
  if (tier === undefined) throw new UsageError(`--tier takes ${ACCOUNT_TIERS.join(" or ")}, got "${text}".`);
  return tier;
}

function addressOf(text: string | undefined, command: string): string {
  if (text === undefined) throw new UsageError(`${command} needs the e-mail address of an account; list shows them.`);
  const email = parseEmailAddress(text);
  if (email === undefined) throw new UsageError(`"${text}" is no e-mail address.`);
  return email;
}

async function carryOut(
  args: readonly string[],
  { store, now, keyPrefix, addressKey, print }: AccountsCommand,
): Promise<void> {
  const accounts = storedAccounts(store, new AccountRows({ now, addressKey }), now);
  const keys = storedAccountKeys(store, keyPrefix, now);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { email: { type: "string" }, tier: { type: "string" }, key: { type: "boolean" } },
  });
  const [command, who, ...rest] = positionals;
  const isCreate = command === "create";
  if (rest.length > 0) throw new UsageError(`Expected one address, got "${[who, ...rest].join(" ")}".`);
  if ((values.email !== undefined || values.key !== undefined) && !isCreate)
    throw new UsageError("--email and --key go with create.");
  if (values.tier !== undefined && !isCreate && command !== "set")
    throw new UsageError("--tier goes with create and set.");
  switch (command) {
    case "list":
      if (who !== undefined) throw new UsageError("list takes no address.");
      return list(accounts, keys, print);
    case "create": {
      if (who !== undefined) throw new UsageError("create takes the address as --email.");
      const tier = tierOf(values.tier ?? "free");
      const { id, email } = await accounts.create(addressOf(values.email, "create"), tier);
      print(`id      ${id}`);
      print(`email   ${email}`);
      if (values.key === true) {
        const made = { name: "first key", scopes: ["data"], expires: undefined, max: 1 } as const;
        const { key, secret } = await keys.create(id, made);
        print(`key     ${key.id}`);
        print(`secret  ${secret}`);
        print("The secret is not stored and is shown only now.");
      }
      return print(
        `Until ${email} has followed a mailed link, which /account asks for, its keys answer email-unverified.`,
      );
    }
    case "set":
      if (values.tier === undefined) throw new UsageError("set needs --tier.");
      await accounts.setTier(addressOf(who, "set"), tierOf(values.tier));
      return print(`${who} has the tier ${values.tier} within a minute on every node.`);
    case "suspend":
      await accounts.suspend(addressOf(who, "suspend"));
      return print(`Suspended ${who}: its keys, tokens and sessions stop within a minute on every node.`);
    case "resume":
      await accounts.resume(addressOf(who, "resume"));
      return print(`Resumed ${who}: its keys, tokens and sessions work again within a minute.`);
    default:
      throw new UsageError(command === undefined ? "A command is missing." : `There is no command "${command}".`);
  }
}

async function list(accounts: StoredAccounts, keys: AccountKeys, print: (line: string) => void): Promise<void> {
  const rows: string[][] = [];
  for (const { id, email, tier, created, verified, suspended } of await accounts.list()) {
    const state = suspended !== undefined ? "suspended" : verified === undefined ? "unverified" : "active";
    const day = new Date(created).toISOString().slice(0, 10);
    rows.push([id, day, tier, state, String(await keys.countActive(id)), email]);
  }
  printTable([["id", "created", "tier", "state", "keys", "email"], ...rows], print);
}
