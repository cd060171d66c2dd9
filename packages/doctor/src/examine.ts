import type { Fetch } from "@swath/http";
import { plainText } from "./plain-text.ts";
import type { DoctorReport } from "./report.ts";
import { type ExaminationLimits, type ExaminationOptions, examineUpstream, type Upstream } from "./upstream.ts";
import type { SettingNames } from "./words.ts";

const LIMITS: ExaminationLimits = { requests: 20, stepMs: 10_000, upstreamMs: 50_000 };

/** Options of an examination. */
export interface ExamineOptions {
  /** Names of the settings that advice mentions. */
  readonly settings: SettingNames;
  /** Values that are shown nowhere, whoever repeats them: keys, tokens, passwords. */
  readonly secrets: readonly string[];
  /** Collections that were asked for and that no upstream has, see {@link askedFor}; default: none. */
  readonly absent?: DoctorReport["absent"];
  /** Default: the global one. */
  readonly fetch?: Fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Default: 20 requests to an upstream, 10 s a step, 50 s an upstream. */
  readonly limits?: Partial<ExaminationLimits>;
  readonly signal?: AbortSignal | undefined;
}

/** @returns the options with their defaults, as one upstream is examined by them. */
export function withDefaults(options: ExamineOptions): ExaminationOptions {
  const { settings, secrets, fetch = (...request) => globalThis.fetch(...request), now = Date.now } = options;
  return { ...LIMITS, ...options.limits, settings, fetch, now, signal: options.signal, plain: plainText(secrets) };
}

/** Examines upstreams side by side, by what a program opens for them: what fails here fails there. It does not reject for what fails. */
export async function examine(upstreams: readonly Upstream[], options: ExamineOptions): Promise<DoctorReport> {
  const examination = withDefaults(options);
  const { now } = examination;
  const { absent = [] } = options;
  const started = now();
  const reports = await Promise.all(upstreams.map((upstream) => examineUpstream(upstream, examination)));
  const isFailing = absent.length > 0 || reports.some(({ status }) => status === "failing");
  return {
    status: isFailing ? "failing" : "ok",
    checked: new Date(started).toISOString(),
    ms: Math.max(0, Math.round(now() - started)),
    upstreams: reports,
    absent: [...absent],
  };
}
