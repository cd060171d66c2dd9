import { reportLines } from "@swath/archive";
import { checkDataDirectory } from "../open/data-directory.ts";
import { EnvironmentError, parseEnvironment } from "../open/environment/environment.ts";
import { openArchiveOf } from "../open/own-archive.ts";

const USAGE = "Usage: archive reindex";

// the owner's command line for a folder of files: what has changed is indexed, also for a service that runs
try {
  if (process.argv.slice(2).join(" ") !== "reindex") throw new EnvironmentError(USAGE);
  const environment = parseEnvironment(process.env);
  if (environment.archive === undefined) throw new EnvironmentError("SWATH_ARCHIVE: expected the path of a folder");
  await checkDataDirectory(environment.dataDir);
  const archive = await openArchiveOf(environment);
  for (const line of archive === undefined ? [] : reportLines(archive.first)) console.log(line);
  archive?.close();
} catch (error) {
  console.error(error instanceof EnvironmentError ? `swath: ${error.message}` : error);
  process.exitCode = 1;
}
