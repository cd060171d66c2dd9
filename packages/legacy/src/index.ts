export { downloadJobs } from "./downloads/jobs.ts";
export { legacyHosts } from "./legacy-hosts.ts";
export type { DownloadParts, LegacyService, LegacySettings } from "./service.ts";
