/** Tasks of who runs the service or looks after it. */
const SERVICE_TASKS = new Set([
  "start",
  "keys",
  "accounts",
  "archive",
  "spending",
  "doctor",
  "maintenance",
  "backup",
  "restore",
]);

/**
 * The lockfile is as whoever changed it left it: their whole installation has asked the registry about the age of all its
 * packages, which are 1,000 requests, a minute in which nothing else is loaded. Hashes are compared all the same.
 */
const SERVICE = [
  "--prod",
  "--config.trust-lockfile=true",
  "--filter",
  "@swath/api...",
  "--filter",
  "@swath/explorer...",
];

/** Arguments of pnpm for each part of the packages; what `documents` installs holds what `service` does. */
export const INSTALL_ARGUMENTS = { service: SERVICE, documents: [...SERVICE, "--filter", "@swath/docs..."], all: [] };

/**
 * The part that has to be installed before a task runs. A checkout with packages and no mark of ours was installed whole, and
 * stays so.
 */
export function missingPart({ task, lockfile, installed, mark }) {
  if (installed === lockfile) return undefined;
  const isWhole = installed !== undefined && mark === undefined;
  if (!SERVICE_TASKS.has(task) || isWhole) return "all";
  return mark?.lockfile === lockfile ? undefined : "service";
}
