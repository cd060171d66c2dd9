import type { ResultStore } from "@swath/store";
import { JOB_KEPT_MS, type JobQueue } from "@swath/store/jobs";
import type { Logger } from "pino";

const EVERY_MS = 300_000;

/** The parts that housekeeping uses. */
interface Parts {
  readonly jobs: Pick<JobQueue, "removeExpired">;
  readonly results: Pick<ResultStore, "removeExpired">;
  /** Make parts of the files of jobs. */
  readonly partMakers?: { removeExpired(olderThan: number): Promise<void> };
  /** Counts of requests by address. */
  readonly addressLimits?: { removeExpired(before: number): Promise<void> };
  readonly maps?: { readonly tokens: { removeExpired(): Promise<void> } };
  /** Sessions of the Model Context Protocol. */
  readonly mcpSessions?: { removeExpired(): Promise<void> };
  readonly accounts?: {
    readonly accounts: { removeExpired(): Promise<void> };
    readonly tokens: { removeExpired(): Promise<void> };
    readonly limits: { removeExpired(before: number): Promise<void> };
  };
  /** Mails that were written as files. */
  readonly outbox?: { removeExpired(now: number): Promise<void> };
  /** Removes images that nodes share, in turns with other nodes. */
  readonly sweepImages?: (now: number) => Promise<object | undefined>;
  /** Reservations of units. */
  readonly units?: { removeExpired(): Promise<number> };
  readonly metrics?: { units(what: "expired", units: number): void };
  readonly now: () => Date;
  readonly log: Logger;
}

/** Deletes jobs, files, mails and counts of addresses of more than a day ago, and tokens and sessions that have expired. */
export async function removeExpired({
  jobs,
  results,
  partMakers,
  addressLimits,
  accounts,
  units,
  ...parts
}: Parts): Promise<void> {
  const { outbox, mcpSessions, maps, sweepImages, metrics, now, log } = parts;
  const olderThan = now().getTime() - JOB_KEPT_MS;
  await (addressLimits ?? accounts?.limits)?.removeExpired(olderThan);
  await accounts?.tokens.removeExpired();
  await accounts?.accounts.removeExpired();
  await mcpSessions?.removeExpired();
  await maps?.tokens.removeExpired();
  await outbox?.removeExpired(now().getTime());
  const expired = (await units?.removeExpired()) ?? 0;
  if (expired > 0) metrics?.units("expired", expired);
  await partMakers?.removeExpired(olderThan);
  const removed = await Promise.all([jobs.removeExpired(olderThan), results.removeExpired(olderThan)]);
  if (removed.some((ids) => ids.length > 0)) {
    log.info({ jobs: removed[0].length, results: removed[1].length }, "removed what is older than a day");
  }
  const swept = await sweepImages?.(now().getTime());
  if (swept !== undefined) log.info(swept, "swept the images that nodes share");
}

/** Does so every five minutes until the function that it returns is called. */
export function startHousekeeping(parts: Parts): () => void {
  const clean = (): void => {
    removeExpired(parts).catch((error: unknown) => parts.log.warn({ err: error }, "housekeeping failed"));
  };
  const timer = setInterval(clean, EVERY_MS);
  timer.unref();
  clean();
  return () => clearInterval(timer);
}
