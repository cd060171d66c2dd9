import { parseArgs } from "node:util";
import { openFiles } from "../collection-files.ts";
import type { Environment } from "../environment.ts";
import { type DoctorOptions, examine } from "./doctor.ts";
import { UnknownNameError } from "./names.ts";
import { printReport } from "./table.ts";

export const DOCTOR_USAGE = `Usage: npm run doctor [-- NAME...] [--json]
  NAME    an upstream or a collection; without names all of them
  --json  one JSON document in place of the tables
Exit code: 0 all well, 1 something that was asked for does not work, 2 wrong use.`;

export interface DoctorCommandParts extends Omit<DoctorOptions, "names"> {
  readonly environment: Environment;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/**
 * Carries out the owner's command line.
 *
 * @returns the exit code: 0 all well, 1 something that was asked for does not work, 2 wrong use.
 * @throws {EnvironmentError} for collection files that cannot be used.
 */
export async function runDoctorCommand(args: readonly string[], parts: DoctorCommandParts): Promise<0 | 1 | 2> {
  const { environment, print, printError, ...options } = parts;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean" } },
    });
    const report = await examine(environment, openFiles(environment), { ...options, names: positionals });
    if (values.json === true) print(JSON.stringify(report, null, 2));
    else printReport(report, print);
    return report.status === "ok" ? 0 : 1;
  } catch (error) {
    const isBadOption = (error as { code?: unknown }).code?.toString().startsWith("ERR_PARSE_ARGS") === true;
    if (!(error instanceof UnknownNameError) && !isBadOption) throw error;
    printError((error as Error).message);
    printError(DOCTOR_USAGE);
    return 2;
  }
}
