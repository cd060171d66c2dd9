#!/usr/bin/env node
/** Commands of `swath-api`: the service, or a command of its owner. Each module runs when it is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  start: () => import("./main.ts"),
  accounts: () => import("./commands/accounts.ts"),
  archive: () => import("./commands/archive.ts"),
  doctor: () => import("./commands/doctor.ts"),
  keys: () => import("./commands/keys.ts"),
  maintenance: () => import("./commands/maintenance.ts"),
  spending: () => import("./commands/spending.ts"),
};

const [name = "start"] = process.argv.splice(2, 1);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) {
  console.error(`swath-api: expected one of ${Object.keys(COMMANDS).join(", ")}, or nothing to start; got "${name}".`);
  process.exitCode = 2;
} else {
  await command();
}
