import { JOB_KEPT_MS, type JobRecord } from "@swath/store";
import type { JobParts } from "./services.ts";

/** The owner's job of a kind; `undefined` for an unknown id, an expired job and the job of somebody else. */
export async function findJob(
  { jobs, now }: Pick<JobParts, "jobs" | "now">,
  kind: string,
  id: string,
  owner: string,
): Promise<JobRecord | undefined> {
  const job = await jobs.find(id, owner);
  const isExpired = job !== undefined && job.created < now().getTime() - JOB_KEPT_MS;
  return job === undefined || isExpired || job.kind !== kind ? undefined : job;
}

/** Whether a job is queued or runs. */
export function isUnfinished({ status }: JobRecord): boolean {
  return status === "queued" || status === "running";
}
