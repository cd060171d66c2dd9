import { JobKinds } from "@swath/store";
import { downloadJobs } from "./legacy/downloads/jobs.ts";
import type { ProcessServices } from "./operations/process.ts";
import { processJobs } from "./operations/process-jobs.ts";

/** The kinds of background jobs that this service carries out. */
export function jobKinds(services: ProcessServices): JobKinds {
  return new JobKinds([processJobs(services), downloadJobs(services)]);
}
