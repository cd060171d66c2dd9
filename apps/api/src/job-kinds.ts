import { JobKinds } from "./jobs/kinds.ts";
import { downloadJobs } from "./legacy/downloads/jobs.ts";
import { type ProcessJobServices, processJobs } from "./operations/process-jobs.ts";

/** The kinds of background jobs that this service carries out. */
export function jobKinds(services: ProcessJobServices): JobKinds {
  return new JobKinds([processJobs(services), downloadJobs(services)]);
}
