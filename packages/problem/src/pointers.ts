import type * as z from "zod";
import type { ProblemPointer } from "./error.ts";
import { found, typeInWords } from "./messages.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Most faults of a result: the message for an unknown key may take a while. */
const MAX_FAULTS = 100;

/** The origin of the checked value: a body gives JSON Pointers, a query gives parameter names. */
export interface PointerOptions {
  readonly in: "body" | "query";
  /** Writes the message for an unknown key, which stands last in `path`; by default `Unknown: "key".` */
  readonly unknownKey?: (path: readonly PropertyKey[]) => string;
}

/**
 * Turns zod issues into one pointer per fault. Parse with `zodMessage` as `error` for plain messages, and with
 * `reportInput` so that messages of a schema's own checks say what came: `Expected a month such as 2026-11, got "x".`
 *
 * - An issue about unknown keys gives one pointer for each key, worded by `options.unknownKey`.
 * - A union gives the faults of one branch: one that accepts the value's own type before one that does not,
 *   then the one with the fewest faults, then the one whose faults are nested deepest.
 * - In a query the pointer is the parameter's name, however deep the fault is nested.
 *
 * The result keeps the order of the issues, and has the first hundred faults. Each pointer has one entry: of several
 * checks that a value fails, the first.
 */
export function pointersFromZod(issues: readonly Issue[], options: PointerOptions): ProblemPointer[] {
  const write = options.in === "body" ? jsonPointer : parameterName;
  const found = new Map<string, ProblemPointer>();
  for (const { path, detail, isUnknown } of issues.flatMap((issue) => faultsOf(issue, []))) {
    const entry = { pointer: write(path), detail: (isUnknown && options.unknownKey?.(path)) || detail };
    if (!found.has(entry.pointer)) found.set(entry.pointer, entry);
    if (found.size >= MAX_FAULTS) break;
  }
  return [...found.values()];
}

interface Fault {
  readonly path: Path;
  readonly detail: string;
  readonly isUnknown?: true;
}

function faultsOf(issue: Issue, base: Path): Fault[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({ path: [...path, key], detail: `Unknown: "${key}".`, isUnknown: true }));
    case "invalid_union": {
      const branch = nearestBranch(issue.errors);
      return branch === undefined
        ? [{ path, detail: sentence(unionMessage(issue)) }]
        : branch.flatMap((inner) => faultsOf(inner, path));
    }
    default:
      return [{ path, detail: sentence(withInput(issue)) }];
  }
}

function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const ranked = branches
    .filter((issues) => issues.length > 0)
    .map((issues) => {
      const faults = issues.flatMap((issue) => faultsOf(issue, []));
      return {
        issues,
        foreign: issues.some((issue) => issue.path.length === 0 && issue.code === "invalid_type"),
        count: faults.length,
        depth: Math.max(...faults.map(({ path }) => path.length)),
      };
    });
  ranked.sort((a, b) => Number(a.foreign) - Number(b.foreign) || a.count - b.count || b.depth - a.depth);
  // Where no branch takes the value's type, the message of one branch would mislead: the union's own message is used.
  return ranked[0] === undefined || (ranked[0].foreign && ranked.length > 1) ? undefined : ranked[0].issues;
}

function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const types = issue.errors
    .flat()
    .flatMap((inner) => (inner.code === "invalid_type" ? [typeInWords(inner.expected)] : []));
  if (types.length === 0) return issue.message;
  const expected = `Expected ${[...new Set(types)].join(" or ")}`;
  return issue.input === undefined ? expected : `${expected}, got ${found(issue.input)}`;
}

/** RFC 6901: `~` is written `~0` and `/` is written `~1`. */
function jsonPointer(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function parameterName(path: Path): string {
  return path.length === 0 ? "" : String(path[0]);
}

/** The message of a schema's own check, with the value that came, where zod reports it and the message does not say it. */
function withInput({ message, input }: Issue): string {
  const says = /^Expected [^.;]+\.?$/.test(message) && !/\bgot\b/.test(message);
  const isText = typeof input === "string" || typeof input === "number";
  return says && isText ? `${message.replace(/\.$/, "")}, got ${found(input)}` : message;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
