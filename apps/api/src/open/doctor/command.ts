import { parseArgs } from "node:util";
import { ARCHIVE } from "@swath/archive";
import {
  askedFor,
  type DoctorReport,
  type ExamineOptions,
  examine,
  reportLines,
  UnknownNameError,
} from "@swath/doctor";
import { openFiles } from "../collection-files.ts";
import type { Environment } from "../environment/environment.ts";
import {
  addressedUpstreams,
  localUpstreams,
  type OwnFolder,
  ownFolder,
  SETTINGS,
  secretsOf,
  upstreamNamesOf,
} from "./examined.ts";

export const DOCTOR_USAGE = `Usage: npm run doctor [-- NAME...] [--json]
  NAME    an upstream or a collection; without names all of them
  --json  one JSON document in place of the tables
Exit code: 0 all well, 1 something that was asked for does not work, 2 wrong use.`;

export interface DoctorCommandParts extends Pick<ExamineOptions, "fetch" | "now" | "limits" | "signal"> {
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
    const report = await examineService(environment, positionals, options);
    if (values.json === true) print(JSON.stringify(report, null, 2));
    else for (const line of reportLines(report)) print(line);
    return report.status === "ok" ? 0 : 1;
  } catch (error) {
    const isBadOption = (error as { code?: unknown }).code?.toString().startsWith("ERR_PARSE_ARGS") === true;
    if (!(error instanceof UnknownNameError) && !isBadOption) throw error;
    printError((error as Error).message);
    printError(DOCTOR_USAGE);
    return 2;
  }
}

/**
 * Examines what a service of this environment would ask, with its own catalogs, sources of files, keys and paces.
 *
 * @param names upstreams and collections that are examined; none: all.
 * @throws {UnknownNameError} for a name that nothing has.
 */
async function examineService(
  environment: Environment,
  names: readonly string[],
  options: Omit<ExamineOptions, "settings" | "secrets">,
): Promise<DoctorReport> {
  const files = openFiles(environment);
  const now = options.now ?? Date.now;
  const { isAsked, collectionsOf, absent } = askedFor(names, files, upstreamNamesOf(environment), SETTINGS);
  const isFolderAsked = environment.archive !== undefined && isAsked(ARCHIVE);
  const folder: OwnFolder = isFolderAsked ? await ownFolder(environment, options.signal) : {};
  const upstreams = [
    ...(await localUpstreams(environment, files, collectionsOf, now)),
    ...addressedUpstreams(environment, files, collectionsOf, now).filter(({ name }) => isAsked(name)),
    ...(folder.upstream === undefined ? [] : [folder.upstream]),
  ];
  const missing = folder.fault === undefined ? absent : [...absent, folder.fault];
  return examine(upstreams, { ...options, settings: SETTINGS, secrets: secretsOf(environment), absent: missing });
}
