#!/usr/bin/env node
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
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

/**
 * Keeps compiled code between starts, as Node 22.8 and later can; render threads find the folder in the environment.
 * Where Node cannot write to it, each start takes as long as the first.
 */
function keepCompiledCode(): void {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  try {
    const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "swath", "compiled");
    module.enableCompileCache?.(folder);
    process.env.NODE_COMPILE_CACHE = folder;
  } catch {
    // an account without a home has no folder for it
  }
}

const [name = "start"] = process.argv.splice(2, 1);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (Object.hasOwn(PRINTED, name)) console.log(PRINTED[name]);
else if (command === undefined) {
  console.error(`swath-api: expected one of ${Object.keys(COMMANDS).join(", ")}, or nothing to start; got "${name}".`);
  process.exitCode = 2;
} else {
  keepCompiledCode();
  await command();
}
