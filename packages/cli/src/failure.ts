import { Refusal } from "@swath/engine";
import { QueryError } from "@swath/query";
import { SchemaError } from "@swath/schema";
import { InvalidArgumentError } from "commander";

/**
 * Exit codes of `swath`: 1 where what was asked for could not be done, or a file that was validated breaks a rule; 2 where the
 * command line asks for what cannot be, so that asked again it fails again; 130 where a signal ended the command.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, ended: 130 } as const;
/** One of the exit codes. */
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** Options of the command line for members of a request and parameters of a search whose name differs. */
const NAMES: Readonly<Record<string, string>> = {
  where: "--bbox or --area",
  "where.geometry": "--area",
  "where.frame": "--size",
  "where.frame.crs": "--out-crs",
  "where.frame.resx": "--resolution",
  "where.frame.resy": "--resolution",
  "where.tileMatrixSet": "--set",
  "where.z": "z",
  "where.x": "x",
  "where.y": "y",
  "when.collections": "--collection",
  "when.maxCloudCover": "--max-cloud",
  what: "--bands, --index or --expression",
  "what.preset": "preset",
  "what.mask": "--exclude",
  "into.sampleType": "--sample-type",
  "into.calculations": "--percentiles",
  collections: "--collection",
  datetime: "--time",
  sortby: "--sort",
  intersects: "--area",
};

/** Advice on a refusal, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  "unknown-collection": "`swath collections` lists them.",
  "unknown-band": "`swath collections ID` lists those of a collection.",
  "area-too-large": "Ask for a smaller area, or for less time.",
  "output-too-large": "Ask for fewer pixels by --size, or larger ones by --resolution.",
  "too-many-scenes": "Ask for less time by --time, or clearer scenes by --max-cloud.",
  "not-found": "`swath search` shows which scenes there are.",
  "upstream-unavailable": "Try again later.",
};
/** Errors of what a command line names: values that do not parse, and names that there are none of. */
const WRONG = [Refusal, QueryError, SchemaError, RangeError, InvalidArgumentError];
/** Codes of refusals that another day, or another catalog, may not give. */
const PASSING: readonly string[] = ["not-found", "upstream-unavailable", "render-timeout"];

/** The name of the longest beginning of a path that has one, the first member alone aside; else that of its second member. */
function nameOf(path: readonly (string | number)[]): string {
  const names = path.map((_, i) => NAMES[path.slice(0, i + 1).join(".")]);
  const own = names.findLast((name, i) => name !== undefined && (i > 0 || path.length === 1));
  return path.length === 0 ? "" : `${own ?? `--${path[1] ?? path[0]}`}: `;
}

/** An error as lines for people, one for each fault: where, what was expected and what came, and what to do. */
export function linesOf(error: unknown, signal: AbortSignal): readonly string[] {
  if (signal.aborted) return ["Ended before it was done."];
  return textsOf(error).map((text) => text.replaceAll(/\s*\n\s*/g, " "));
}

/** A reason with the error's own words, which name the address of the file that was tried. */
export function withError(reason: string, error: string | undefined): string {
  if (error === undefined || error === "") return reason;
  const [, text = "", end = ""] = /^(.*?)(\.?)$/s.exec(reason) ?? [];
  return `${text} (${error.replace(/\.$/, "")})${end}`;
}

function textsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof QueryError) return [`${nameOf(error.pointer.split("/").slice(0, 1))}${error.message}`];
  if (error instanceof Refusal) {
    const { code, faults, retryAfter, cause } = error;
    const isUpstream = code === "upstream-unavailable";
    const own = isUpstream && cause instanceof Error ? cause.message : undefined;
    const detail = withError(error.detail, own);
    // a name that is not known has a hint of its own
    const isAdvised = isUpstream ? retryAfter !== undefined : code !== "not-found" || faults.length === 0;
    const advice = ADVICE[code] === undefined || !isAdvised ? "" : ` ${ADVICE[code]}`;
    const named = faults.map((fault) => `${nameOf(fault.path)}${fault.detail}${advice}`);
    return named.length > 0 ? named : [`${detail}${advice}`];
  }
  // errors of the system and of packages have a code; another one is a defect, and its place helps to find it
  const isKnown = "code" in error || error instanceof RangeError;
  return [isKnown ? error.message : (error.stack ?? error.message)];
}

export function exitOf(error: unknown, signal: AbortSignal): Exit {
  if (signal.aborted) return EXIT.ended;
  const isPassing = error instanceof Refusal && PASSING.includes(error.code) && error.faults.length === 0;
  return !isPassing && WRONG.some((kind) => error instanceof kind) ? EXIT.usage : EXIT.failed;
}
