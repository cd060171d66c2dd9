import { unlessAborted } from "@swath/http";
import type { BoundedFetch } from "./bounded-fetch.ts";
import type { PlainText } from "./plain-text.ts";
import type { StepName, StepReport } from "./report.ts";
import { StepTimeError, type Words } from "./words.ts";

/** The state that the steps of one upstream share. */
export interface Examination {
  readonly bounded: BoundedFetch;
  readonly plain: PlainText;
  /** Milliseconds. */
  readonly now: () => number;
  /** Ends when the upstream's time is over. */
  readonly deadline: AbortSignal;
  /** The longest step, milliseconds. */
  readonly stepMs: number;
}

/** Runs a step and describes its finding; it fails by throwing. */
type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** The question of one step. */
export interface Question<T> {
  readonly step: StepName;
  readonly attempt: Attempt<T>;
  /** Describes an answer, where more is known than that there was one. */
  readonly found?: (answer: T) => string | undefined;
  readonly words: (error: unknown) => Words;
  /** Requests that it takes at most. */
  readonly requests: number;
}

/** A step and its answer; `undefined` where it did not succeed. */
export interface Answered<T> {
  readonly report: StepReport;
  readonly answer: T | undefined;
}

/** A finding that is a fault although everything answered. */
export class Finding extends Error implements Words {
  override readonly name = "Finding";
  readonly advice: string;

  constructor(detail: string, advice: string) {
    super(detail);
    this.advice = advice;
  }

  get detail(): string {
    return this.message;
  }
}

/** Takes one step: never longer than `stepMs` or the deadline, and with no more requests than it may send. */
export async function takeStep<T>(examination: Examination, question: Question<T>): Promise<Answered<T>> {
  const { bounded, plain, now, deadline, stepMs } = examination;
  const { step } = question;
  if (deadline.aborted) return { report: skipped(step, "The time of the upstream is over."), answer: undefined };
  if (bounded.left <= 0) {
    return { report: skipped(step, "The requests of the upstream are spent."), answer: undefined };
  }
  bounded.allow(question.requests);
  const [started, requests, bytes, refused] = [now(), bounded.requests, bounded.bytes, bounded.refused];
  const spent = (): Pick<StepReport, "requests" | "ms" | "bytes"> => ({
    requests: bounded.requests - requests,
    ms: Math.max(0, Math.round(now() - started)),
    bytes: bounded.bytes - bytes,
  });
  const time = AbortSignal.timeout(stepMs);
  const signal = AbortSignal.any([deadline, time]);
  try {
    const answer = await unlessAborted(question.attempt(signal), signal);
    const found = question.found?.(answer);
    const report = { step, status: "ok" as const, ...spent(), ...(found === undefined ? {} : { found }) };
    return { report, answer };
  } catch (error) {
    // looking up names does not listen to signals: what is still under way must not count for the next step
    bounded.allow(0);
    if (deadline.aborted) {
      return { report: { ...skipped(step, "The time of the upstream is over."), ...spent() }, answer: undefined };
    }
    const isBounded = bounded.refused > refused && bounded.lastStatus !== undefined && bounded.lastStatus < 400;
    if (isBounded) {
      const made = bounded.requests - requests;
      const detail = `Not seen within ${made} ${made === 1 ? "request" : "requests"}.`;
      return { report: { ...skipped(step, detail), ...spent() }, answer: undefined };
    }
    const words = error instanceof Finding ? error : question.words(time.aborted ? new StepTimeError(stepMs) : error);
    const { detail, advice } = words;
    return {
      report: { step, status: "failed", ...spent(), detail: plain(detail), advice: plain(advice) },
      answer: undefined,
    };
  }
}

/** A step that is not taken. */
export function skipped(step: StepName, detail: string): StepReport {
  return { step, status: "skipped", requests: 0, ms: 0, bytes: 0, detail };
}
