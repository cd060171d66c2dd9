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

/** What the service needs on some machines alone, each by a path that is there when it is installed. */
export const ADDITIONS = {
  /** The Node of the lockfile, 130 MB. */
  node: "node_modules/.bin/node",
  /** What sends traces: 4,000 files. */
  traces: "packages/otlp/node_modules",
};

/**
 * The additions that the service needs with a Node of these features and these variables: the lockfile's Node in place of one
 * that does not run TypeScript, which are those from before 22.18, and traces where a variable of OpenTelemetry is set.
 */
export function neededAdditions({ typescript }, variables) {
  const runsService = typescript === "strip" || typescript === "transform";
  const sendsTraces = Object.keys(variables).some((name) => name.startsWith("OTEL_"));
  return [...(runsService ? [] : ["node"]), ...(sendsTraces ? ["traces"] : [])];
}

/** Arguments of pnpm that install a part of the packages; what `documents` installs holds what `service` does. */
export function installArguments(part, additions) {
  if (part === "all") return [];
  return [
    ...SERVICE,
    ...(additions.includes("node") ? ["--filter", "@swath/pinned-node"] : []),
    ...(additions.includes("traces") ? [] : ["--filter", "!@swath/otlp"]),
    ...(part === "documents" ? ["--filter", "@swath/docs..."] : []),
  ];
}

/**
 * The part that has to be installed before a task runs. A checkout with packages and no mark of ours was installed whole, and
 * stays so.
 */
export function missingPart({ task, lockfile, installed, mark, hasAdditions }) {
  if (installed === lockfile) return undefined;
  const isWhole = installed !== undefined && mark === undefined;
  if (!SERVICE_TASKS.has(task) || isWhole) return "all";
  return mark?.lockfile === lockfile && hasAdditions ? undefined : "service";
}
