import type { ProblemCode } from "@swath/problem";
import type { AreaBlock, BlockJob } from "../process/area-block.ts";
import type { DrawOptions } from "./draw.ts";
import type { Picture, RenderJob } from "./job.ts";
import type { Traffic } from "./traffic.ts";

/** What the main thread says to a render thread. */
export type Order =
  | { readonly kind: "render"; readonly id: number; readonly job: RenderJob | BlockJob }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "ping"; readonly id: number };

/** A failure as plain data: error classes do not cross threads. */
export interface Failure {
  /** Absent: an unexpected error. */
  readonly code?: ProblemCode;
  readonly message: string;
  readonly retryAfter?: number;
  readonly stack?: string;
}

/** What a render thread answers. */
export type Answer =
  | { readonly kind: "picture"; readonly id: number; readonly picture: Picture }
  | { readonly kind: "block"; readonly id: number; readonly block: AreaBlock }
  | { readonly kind: "failure"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "pong"; readonly id: number }
  | { readonly kind: "traffic"; readonly id: number; readonly traffic: Traffic };

export interface WorkerSettings {
  readonly draw: DrawOptions;
  /** Whether a thread that has nothing to do yet draws made-up tiles, so that its code is compiled. */
  readonly warmsUp?: boolean;
}
