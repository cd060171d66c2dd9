#!/usr/bin/env node
import packageFacts from "../package.json" with { type: "json" };

/** Commands of `swath-api`: the service, or a command of its owner. Each module runs when it is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  start: () => import("./main.ts"),
  accounts: () => import("./commands/accounts.ts"),
  archive: () => import("./commands/archive.ts"),
  backup: () => import("./commands/backup.ts"),
  doctor: () => import("./commands/doctor.ts"),
  keys: () => import("./commands/keys.ts"),
  maintenance: () => import("./commands/maintenance.ts"),
  restore: () => import("./commands/restore.ts"),
  spending: () => import("./commands/spending.ts"),
};

const USAGE = `Usage: swath-api [COMMAND]
  COMMAND    ${Object.keys(COMMANDS).join(", ")}; without one the service starts
  --help     print this
  --version  print the version
Environment variables are its settings: https://github.com/swath-imagery/swath/blob/main/docs/operations.md`;
/** Texts that are printed instead of running a command. */
const PRINTED: Readonly<Record<string, string>> = {
  "--help": USAGE,
  "-h": USAGE,
  help: USAGE,
  "--version": packageFacts.version,
  "-V": packageFacts.version,
};

const [name = "start"] = process.argv.splice(2, 1);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (Object.hasOwn(PRINTED, name)) console.log(PRINTED[name]);
else if (command === undefined) {
  console.error(`swath-api: expected one of ${Object.keys(COMMANDS).join(", ")}, or nothing to start; got "${name}".`);
  process.exitCode = 2;
} else {
  await command();
}
