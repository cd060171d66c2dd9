import { CatalogError } from "@swath/catalog";
import { CogError } from "@swath/cog";
import { Refusal } from "@swath/engine";
import { QueryError } from "@swath/query";
import { InvalidArgumentError } from "commander";

/** Exit codes of `swath`. */
export const EXIT = {
  done: 0,
  /** What was asked for could not be done, or a file that was validated breaks a rule. */
  failed: 1,
  /** The command line is wrong, or asks for what cannot be: asked again it fails again. */
  usage: 2,
  /** A signal ended the command. */
  ended: 130,
} as const;

/** One of the exit codes. */
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** What members of a request are called on the command line, longest path first. */
const OPTIONS: Readonly<Record<string, string>> = {
  "where.bbox": "--bbox",
  "where.geometry": "--area",
  "where.crs": "--crs",
  "where.frame.crs": "--out-crs",
  "where.frame.resx": "--resolution",
  "where.frame.resy": "--resolution",
  "where.frame": "--size",
  where: "--bbox or --area",
  "when.collections": "--collection",
  "when.time": "--time",
  "when.every": "--every",
  "when.ids": "--ids",
  "when.maxCloudCover": "--max-cloud",
  "when.order": "--order",
  "what.bands": "--bands",
  "what.index": "--index",
  "what.expression": "--expression",
  "what.units": "--units",
  "what.harmonize": "--harmonize",
  "what.mask": "--exclude",
  what: "--bands, --index or --expression",
  "into.sampleType": "--sample-type",
  "into.calculations": "--percentiles",
  "into.reducer": "--reducer",
};

/** Parameters of a search as options. */
const PARAMETERS: Readonly<Record<string, string>> = {
  collections: "--collection",
  datetime: "--time",
  sortby: "--sort",
  intersects: "--area",
};

/** What to do about a fault, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  "unknown-collection": "`swath collections` lists them.",
  "unknown-band": "`swath collections ID` lists the bands of one.",
  "not-found": "`swath search` shows which scenes there are.",
  "area-too-large": "Ask for a smaller area, or for less time.",
  "output-too-large": "Ask for fewer pixels by --size, or larger ones by --resolution.",
  "too-many-scenes": "Ask for less time by --time, or clearer scenes by --max-cloud.",
  "upstream-unavailable": "Try again later.",
  unavailable: "Try again later.",
  forbidden: "The address wants a login, or may not be read.",
};

const optionOf = (path: readonly (string | number)[]): string | undefined => {
  for (let length = path.length; length > 0; length--) {
    const found = OPTIONS[path.slice(0, length).join(".")];
    if (found !== undefined) return found;
  }
  return undefined;
};

interface Known {
  readonly code: string;
  readonly faults: readonly { readonly option?: string | undefined; readonly detail: string }[];
  readonly isUsage: boolean;
}

/** Faults of which asking again in the same words would give the same. */
const PASSING: readonly string[] = ["not-found", "upstream-unavailable", "render-timeout"];

/** What is known of an error; `undefined` where it is a defect of the program. */
function knownOf(error: unknown): Known | undefined {
  if (error instanceof Refusal) {
    const named = error.faults.map(({ path, detail }) => ({ option: optionOf(path), detail }));
    const faults = named.length > 0 ? named : [{ detail: error.detail }];
    return { code: error.code, faults, isUsage: !PASSING.includes(error.code) };
  }
  if (error instanceof QueryError) {
    const name = error.pointer.split("/")[0] ?? "";
    const option = PARAMETERS[name] ?? (name === "" ? undefined : `--${name}`);
    return { code: error.code, faults: [{ option, detail: error.message }], isUsage: true };
  }
  if (error instanceof CatalogError || error instanceof CogError) {
    return { code: error.code, faults: [{ detail: error.message }], isUsage: false };
  }
  if (error instanceof InvalidArgumentError)
    return { code: "usage", faults: [{ detail: error.message }], isUsage: true };
  // errors of the system, and of packages that give a code
  if (error instanceof Error && typeof (error as { code?: unknown }).code === "string") {
    return { code: String((error as { code?: unknown }).code), faults: [{ detail: error.message }], isUsage: false };
  }
  return undefined;
}

/** An error as lines for people: one for each fault, what was expected first, then what to do. */
export function linesOf(error: unknown, signal: AbortSignal): readonly string[] {
  if (signal.aborted) return ["Ended before it was done."];
  const known = knownOf(error);
  if (known === undefined) return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  const advice = ADVICE[known.code];
  return known.faults.map(({ option, detail }) => {
    const parts = [...(option === undefined ? [] : [`${option}:`]), detail, ...(advice === undefined ? [] : [advice])];
    return parts.join(" ").replaceAll(/\s*\n\s*/g, " ");
  });
}

export function exitOf(error: unknown, signal: AbortSignal): Exit {
  if (signal.aborted) return EXIT.ended;
  return knownOf(error)?.isUsage === true ? EXIT.usage : EXIT.failed;
}
