import type { MeasuredSpan } from "@swath/tracing";
import type { ComputedBlock } from "../compute/compute-block.ts";
import type { ExtractBlockOutcome } from "../extract/extract-block.ts";
import type { AccessAnswer, AccessRequest } from "../files/access/shared-access.ts";
import type { Traffic } from "../files/traffic.ts";
import type { RenderedImage } from "../job.ts";
import type { RenderSettings } from "../resources.ts";
import type { ThreadJob } from "./engine.ts";
import type { Failure } from "./failure.ts";

/** A message of the main thread to a render thread. */
export type ThreadRequest =
  | {
      readonly kind: "run";
      readonly id: number;
      readonly job: ThreadJob;
      /** Whether the thread measures its work, and the files that it reads, for a trace. */
      readonly isTraced: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "access"; readonly id: number; readonly answer: AccessAnswer }
  | { readonly kind: "ping"; readonly id: number }
  /** Asks the thread to end. */
  | { readonly kind: "end"; readonly id: number };

/** The result of a job, by its kind. */
export type ThreadResult = RenderedImage | ExtractBlockOutcome | ComputedBlock;

/** The answer of a render thread. */
export type ThreadResponse =
  | { readonly kind: "result"; readonly id: number; readonly result: ThreadResult; readonly span?: MeasuredSpan }
  | { readonly kind: "failure"; readonly id: number; readonly failure: Failure; readonly span?: MeasuredSpan }
  | { readonly kind: "pong"; readonly id: number }
  | { readonly kind: "access"; readonly id: number; readonly request: AccessRequest }
  | { readonly kind: "traffic"; readonly id: number; readonly traffic: Traffic };

export interface ThreadSettings {
  readonly render: RenderSettings;
  /** Whether a thread that has nothing to do yet renders synthetic tiles, so that its code is compiled. */
  readonly warmsUp?: boolean;
}
