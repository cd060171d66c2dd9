import type * as z from "zod";
import { suggest } from "../suggest.ts";

/** Something wrong in a collection file. */
export interface FileFault {
  /** Keys and positions that lead to the value. */
  readonly path: readonly (string | number)[];
  /** JSON Pointer (RFC 6901) of the value; empty for the file as a whole. */
  readonly pointer: string;
  readonly expected: string;
  /** The value that came, as JSON cut to 60 characters; `nothing` where it is missing. */
  readonly got: string;
  /** The probably intended name of an unknown member. */
  readonly suggestion?: string;
}

type Path = readonly (string | number)[];

/** Makes a fault for a position in the file. */
export function faultOf(input: unknown, path: Path, expected: string, suggestion?: string): FileFault {
  return {
    path,
    pointer: path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    expected,
    got: shown(valueAt(input, path)),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** One line: pointer, what was expected, what came. */
export function formatFault({ pointer, expected, got, suggestion }: FileFault): string {
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return `${pointer === "" ? "the file" : pointer}: expected ${expected}, got ${got}.${hint}`;
}

/** The faults that an issue of the model stands for: one for each unknown member, else one. */
export function faultsOfIssue(issue: z.core.$ZodIssue, input: unknown, known: readonly string[]): FileFault[] {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => faultOf(input, [...path, key], "no member of this name", suggest(key, known)[0]));
    case "invalid_key":
      return [faultOf(input, path, "another name for the member")];
    case "invalid_union":
      return [faultOf(input, path, unionText(issue))];
    default:
      return [faultOf(input, path, expectedText(issue))];
  }
}

function unionText(issue: z.core.$ZodIssueInvalidUnion): string {
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  return options.length === 0 ? "another value" : `one of ${options.map(String).join(", ")}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
};

const FORMATS: Readonly<Record<string, string>> = { url: "a URL", datetime: "a time as 2024-01-31T00:00:00Z" };

function expectedText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1 ? JSON.stringify(issue.values[0]) : `one of ${issue.values.join(", ")}`;
    case "too_small":
      return boundText(issue.origin, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum));
    case "too_big":
      return boundText(issue.origin, issue.inclusive === false ? "less than" : "at most", Number(issue.maximum));
    case "invalid_format":
      return issue.pattern === undefined || issue.format !== "regex"
        ? (FORMATS[issue.format] ?? `a ${issue.format}`)
        : `text of the form ${issue.pattern}`;
    default:
      return issue.message;
  }
}

function boundText(origin: string, bound: string, limit: number): string {
  const unit = { string: " characters", array: " entries" }[origin] ?? "";
  return `${bound} ${limit}${limit === 1 ? unit.replace(/ies$/, "y").replace(/s$/, "") : unit}`;
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
