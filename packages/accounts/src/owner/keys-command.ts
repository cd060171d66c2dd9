import { parseArgs } from "node:util";
import { monthOf } from "../calendar.ts";
import { counted } from "../counted.ts";
import { KeyError, type StoredKeys, storedKeys } from "../keys/stored-keys.ts";
import type { OwnerCommand } from "./owner-command.ts";
import { printTable } from "./print-table.ts";

const usage = (program: string): string => `Usage: ${program} COMMAND
  create --name NAME              a new key; its secret is shown once
  list                            the keys, with the requests of this month (UTC)
  disable ID                      the key stops working within a minute
  rotate ID [--grace MINUTES]     a new secret; the old one works for MINUTES more (0)`;

const MAX_NAME = 64;
const MAX_GRACE_MINUTES = 7 * 24 * 60;

/** A command line that cannot be carried out; `message` is one line. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Carries out one command of the owner and gives the exit code: 0, 1 for what cannot be done, 2 for a wrong command line. */
export async function runKeysCommand(args: readonly string[], parts: OwnerCommand): Promise<number> {
  try {
    await carryOut(args, parts);
    return 0;
  } catch (error) {
    if (error instanceof KeyError) {
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

async function carryOut(args: readonly string[], { store, now, print }: OwnerCommand): Promise<void> {
  const keys = storedKeys(store, now);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { name: { type: "string" }, grace: { type: "string" } },
  });
  const [command, id, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`Expected one id, got "${[id, ...rest].join(" ")}".`);
  if (values.name !== undefined && command !== "create") throw new UsageError("--name goes with create.");
  if (values.grace !== undefined && command !== "rotate") throw new UsageError("--grace goes with rotate.");
  const needId = (): string => {
    if (id === undefined) throw new UsageError(`${command} needs the id of a key; list shows them.`);
    return id;
  };
  switch (command) {
    case "create": {
      const name = values.name?.trim() ?? "";
      if (id !== undefined || name === "" || name.length > MAX_NAME)
        throw new UsageError(`create needs --name with 1 to ${MAX_NAME} characters.`);
      const made = await keys.create(name);
      return printSecret(made.id, made.secret, print);
    }
    case "list":
      if (id !== undefined) throw new UsageError("list takes no id.");
      return list(keys, now(), print);
    case "disable":
      await keys.disable(needId());
      return print(`Disabled ${id}. It stops working within a minute on every node.`);
    case "rotate": {
      const minutes = Number(values.grace ?? "0");
      if (!Number.isInteger(minutes) || minutes < 0 || minutes > MAX_GRACE_MINUTES)
        throw new UsageError(`--grace takes 0 to ${MAX_GRACE_MINUTES} whole minutes, got "${values.grace}".`);
      const made = await keys.rotate(needId(), minutes * 60_000);
      printSecret(made.id, made.secret, print);
      return print(`The old secret works for ${minutes === 0 ? "at most a minute" : counted(minutes, "minute")} more.`);
    }
    default:
      throw new UsageError(command === undefined ? "A command is missing." : `There is no command "${command}".`);
  }
}

function printSecret(id: string, secret: string, print: OwnerCommand["print"]): void {
  print(`id      ${id}`);
  print(`secret  ${secret}`);
  print("The secret is not stored and is shown only now. Send it in the X-API-Key header.");
}

async function list(keys: StoredKeys, time: number, print: OwnerCommand["print"]): Promise<void> {
  const header = ["id", "prefix", "created", "state", "requests", "name"];
  const rows = (await keys.list(monthOf(time))).map((key) => [
    key.id,
    key.prefixes.join(",") || "-",
    new Date(key.created).toISOString().slice(0, 10),
    key.disabled === undefined ? "active" : "disabled",
    String(key.requests),
    key.name,
  ]);
  printTable([header, ...rows], print);
}
