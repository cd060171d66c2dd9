import type { Fault, Path, Refusal, RefusalCode } from "@swath/engine";
import type { ProblemPointer } from "@swath/problem";
import { type ProblemCode, ProblemError } from "./problems.ts";

/**
 * Names of the members of the engine's request in a way in: the longest beginning of a path that is here gives the name,
 * and the rest of the path follows it.
 */
export interface MemberNames {
  readonly in: "query" | "body";
  /** JSON Pointers or names of parameters, by paths joined with dots: `"where.bbox": "/input/bounds/bbox"`. */
  readonly names: Readonly<Record<string, string>>;
}

/** Problems by codes of refusals; `invalid` is of where the member stands. */
const CODES = {
  "unknown-collection": "unknown-collection",
  "unknown-band": "unknown-band",
  "units-unavailable": "units-unavailable",
  "harmonize-unavailable": "harmonize-unavailable",
  "invalid-process-graph": "invalid-process-graph",
  "not-found": "not-found",
  "zoom-out-of-range": "zoom-out-of-range",
  "pixel-too-large": "pixel-too-large",
  "area-too-large": "area-too-large",
  "output-too-large": "output-too-large",
  "too-many-scenes": "too-many-scenes",
  "budget-exceeded": "budget-exceeded",
  "upstream-unavailable": "upstream-unavailable",
  "render-timeout": "render-timeout",
} as const satisfies Readonly<Record<Exclude<RefusalCode, "invalid">, ProblemCode>>;

const escaped = (part: string | number): string => String(part).replaceAll("~", "~0").replaceAll("/", "~1");

/** Returns the name of a path; `undefined` for one of no member of the way in. */
export function memberName({ in: place, names }: MemberNames, path: Path): string | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const name = names[path.slice(0, length).join(".")];
    if (name === undefined) continue;
    return place === "query" ? name : [name, ...path.slice(length).map(escaped)].join("/");
  }
  return undefined;
}

/** A refusal as a problem, in the words of the way in. */
export function refusalProblem(refusal: Refusal, members: MemberNames): ProblemError {
  const { code, limits, retryAfter, facts } = refusal;
  const errors = refusal.faults.flatMap(({ path, detail }: Fault): readonly ProblemPointer[] => {
    const pointer = memberName(members, path);
    return pointer === undefined ? [] : [{ pointer, detail }];
  });
  const [first] = errors;
  const isInvalid = code === "invalid";
  const named = isInvalid && first !== undefined && first.pointer !== "" ? `${first.pointer}: ` : "";
  return new ProblemError(
    isInvalid ? (members.in === "body" ? "invalid-body" : "invalid-parameter") : CODES[code],
    `${named}${refusal.detail}`,
    {
      cause: refusal,
      ...(errors.length === 0 ? {} : { errors }),
      ...(limits === undefined ? {} : { limits }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      members: facts,
    },
  );
}
