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

/** The Node of the lockfile, 130 MB, for a Node of one's own that does not run TypeScript: one from before 22.18. */
const NODE = ["--filter", "@swath/pinned-node"];

/** Whether the service runs with a Node, of which these are the features. */
export const runsService = ({ typescript }) => typescript === "strip" || typescript === "transform";

/** Arguments of pnpm that install a part of the packages; what `documents` installs holds what `service` does. */
export function installArguments(part, hasNode) {
  if (part === "all") return [];
  return [...SERVICE, ...(hasNode ? [] : NODE), ...(part === "documents" ? ["--filter", "@swath/docs..."] : [])];
}

/**
 * The part that has to be installed before a task runs. A checkout with packages and no mark of ours was installed whole, and
 * stays so. The service needs a Node, its own or that of the lockfile.
 */
export function missingPart({ task, lockfile, installed, mark, hasNode }) {
  if (installed === lockfile) return undefined;
  const isWhole = installed !== undefined && mark === undefined;
  if (!SERVICE_TASKS.has(task) || isWhole) return "all";
  return mark?.lockfile === lockfile && hasNode ? undefined : "service";
}
