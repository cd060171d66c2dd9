import { downloadJobs } from "@swath/legacy";
import { JobKinds, type JobRunnerParts } from "@swath/store/jobs";
import { traced } from "@swath/tracing";
import { jobFault } from "../errors/job-fault.ts";
import { processJobs } from "../operations/process-jobs.ts";
import type { Services } from "../operations/services.ts";

/** The queue of this service, the kinds of background jobs that it carries out, and what becomes of their faults. */
export function runnerParts(services: Services): JobRunnerParts {
  const { jobs, results, log } = services;
  const kinds = [processJobs(services), downloadJobs(services)];
  return {
    jobs,
    kinds: new JobKinds(kinds),
    faultOf: (error, { kind }) =>
      jobFault(
        error,
        kinds.find(({ name }) => name === kind),
      ),
    around: (job, work) =>
      traced(`job ${job.kind}`, { role: "consumer", facts: { "swath.job": job.id }, parent: job.trace }, work),
    discard: (id) => results.remove(id),
    log,
  };
}
