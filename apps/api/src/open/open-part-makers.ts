import type { Renderer } from "@swath/engine/node";
import { errorOfPart, type FileParts, failureOfPart, makeFilePart, SceneUnreadable } from "@swath/engine/node/jobs";
import { type ResultStore, type Store, StoreError } from "@swath/store";
import { JobTimeoutError } from "@swath/store/jobs";
import { activeParent, traced } from "@swath/tracing";
import type { Logger } from "pino";
import { type JobProblem, jobFault } from "../errors/job-fault.ts";
import { type Environment, EnvironmentError } from "./environment/environment.ts";

/** The nodes that make the parts of large files together. */
export interface PartMakers {
  /** The parts of the files of a job. */
  of(jobId: string): FileParts;
  /** Makes parts of all nodes' files until it is stopped. */
  work(renderer: Pick<Renderer, "extract">): { stop(): Promise<void> };
  /** Removes what jobs have left that ended before a time, epoch milliseconds, with their process. */
  removeExpired(olderThan: number): Promise<void>;
  close(): Promise<void>;
}

const KIND = "extract";

/**
 * Opens the part makers of a deployment; undefined where each file is made by one node.
 *
 * @throws {EnvironmentError} where the setting asks for what this Node or the database does not allow.
 */
export async function openPartMakers(
  { jobs: { partValues } }: Pick<Environment, "jobs">,
  { store, results, log }: { readonly store: Store; readonly results: ResultStore; readonly log: Logger },
): Promise<PartMakers | undefined> {
  if (partValues === undefined) return undefined;
  const { openParts, PartError, PartTimeoutError } = await import("@swath/store/node/parts");
  const parts = await openParts(store, { log }).catch((error: unknown) => {
    // an old Node, or an account that may not make the schema
    const isOfSetting = error instanceof Error && !(error instanceof StoreError);
    throw isOfSetting ? new EnvironmentError(`SWATH_JOB_PART_VALUES: ${error.message}`, { cause: error }) : error;
  });
  const discard = async (result: unknown): Promise<void> => results.remove((result as { readonly id: string }).id);
  const discardAll = async (made: readonly unknown[]): Promise<void> => {
    await Promise.all(made.map(discard));
  };
  return {
    of: (jobId) => ({
      values: partValues,
      files: results,
      async carryOut({ name, task, count }, { signal, onProgress }) {
        try {
          const set = { id: `${jobId}-${name}`, kind: KIND, task, count };
          return await parts.carryOut(set, {
            signal,
            onProgress: (done) => onProgress?.(done / count),
            trace: activeParent(),
          });
        } catch (error) {
          throw error instanceof PartError ? errorOfPart(error.error) : error;
        }
      },
      async forget(name, { signal }) {
        // a worker that stops, or has lost the job, leaves its parts to the next one
        if (signal.aborted && !(signal.reason instanceof JobTimeoutError)) return;
        await discardAll(await parts.forget(`${jobId}-${name}`));
      },
    }),
    work: (renderer) =>
      parts.work([
        {
          name: KIND,
          run: (task, n, options) =>
            traced("part extract", { role: "consumer", parent: options.trace }, () =>
              makeFilePart({ renderer, files: results }, task, n, options),
            ),
          faultOf(error) {
            if (error instanceof SceneUnreadable) return { error: failureOfPart(error) };
            const known = jobFault(error instanceof PartTimeoutError ? new JobTimeoutError() : error, undefined);
            if (known.unexpected === true) {
              log.error({ err: error }, "unexpected error in a part of a job");
              return { error: failureOfPart(error) };
            }
            const { code, detail: message, retryAfter } = known.error as JobProblem;
            const kept = { code, message, ...(retryAfter === undefined ? {} : { retryAfter }) };
            return { error: kept, passes: known.passes === true };
          },
          discard,
        },
      ]),
    removeExpired: async (olderThan) => discardAll(await parts.removeExpired(olderThan)),
    close: () => parts.close(),
  };
}
