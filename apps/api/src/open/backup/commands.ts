import { parseArgs } from "node:util";
import type { StoreSettings } from "@swath/store/node";
import { BackupError, writeBackup } from "./backup-file.ts";
import { factsText } from "./facts.ts";
import { copyPostgres, restorePostgres } from "./postgres.ts";
import { copySqlite } from "./sqlite-backup.ts";
import { type RestoreQuestion, restoreSqlite } from "./sqlite-restore.ts";

/** Settings of the service, the clock and the terminal. */
export interface BackupCommand {
  readonly settings: StoreSettings;
  readonly now: () => number;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

const BACKUP_USAGE = `Usage: npm run backup -- FILE
  FILE   the new file for accounts, keys, counts, jobs and secrets; the service may run`;
const RESTORE_USAGE = `Usage: npm run restore -- FILE [--yes]
  FILE   a backup, which takes the place of the state; the service is stopped
  --yes  replaces the state that is there, and keeps it under another name`;

/** Makes a backup of the state and gives the exit code: 0, 1 for what cannot be done, 2 for a wrong command line. */
export async function runBackupCommand(
  args: readonly string[],
  { settings, ...parts }: BackupCommand,
): Promise<number> {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith("-") || rest.length > 0) {
    parts.printError(BACKUP_USAGE);
    return 2;
  }
  return attempt(parts, async () => {
    const { dataDir, databaseUrl } = settings;
    await writeBackup(file, (folder) =>
      databaseUrl === undefined ? copySqlite(dataDir, folder) : copyPostgres(databaseUrl, folder),
    );
    parts.print(`Backed up to ${file}. It holds people's addresses and secrets: encrypt it where it is kept.`);
    return 0;
  });
}

/** Restores a backup and gives the exit code: 0, 1 for what cannot be done, 2 for a wrong command line. */
export async function runRestoreCommand(
  args: readonly string[],
  { settings, ...parts }: BackupCommand,
): Promise<number> {
  const line = parseLine(args);
  if (line === undefined) {
    parts.printError(RESTORE_USAGE);
    return 2;
  }
  const accept = ({ backup, state }: RestoreQuestion): boolean => {
    parts.print(`The backup:        ${factsText(backup)}.`);
    parts.print(`Would be replaced: ${state === undefined ? "a state that cannot be read" : factsText(state)}.`);
    return line.isAccepted;
  };
  return attempt(parts, async () => {
    const { dataDir, databaseUrl } = settings;
    const options = { accept, now: parts.now() };
    const restored =
      databaseUrl === undefined
        ? await restoreSqlite(line.file, dataDir, options)
        : await restorePostgres(line.file, { dataDir, databaseUrl }, options);
    if (restored === undefined) {
      parts.printError("There is a state already. Nothing was changed: add --yes to replace it.");
      return 1;
    }
    parts.print(`Restored: ${factsText(restored.backup)}.`);
    if (restored.replaced !== undefined) parts.print(`The state before is in ${restored.replaced}.`);
    return 0;
  });
}

async function attempt(
  { printError }: Pick<BackupCommand, "printError">,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    printError(error.message);
    return 1;
  }
}

function parseLine(args: readonly string[]): { readonly file: string; readonly isAccepted: boolean } | undefined {
  try {
    const options = { yes: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [file, ...rest] = positionals;
    return file === undefined || rest.length > 0 ? undefined : { file, isAccepted: values.yes };
  } catch {
    return undefined;
  }
}
