import type { JobQueue, JobRecord } from "./queue.ts";
import { JOB_KEPT_MS } from "./stored-queue.ts";

/** The owner's job of a kind; `undefined` for an unknown id, an expired job and the job of somebody else. */
export async function findJob(
  { jobs, now }: { readonly jobs: Pick<JobQueue, "find">; readonly now: () => Date },
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
