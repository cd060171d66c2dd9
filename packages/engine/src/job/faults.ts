import { ProblemError } from "@swath/problem";

/** Makes the problem of a member of a request: `invalid-parameter` of a query, `invalid-body` of a body. */
export type Fault = (member: string, detail: string, cause?: unknown) => ProblemError;

/** The JSON Pointer of a body's member, or the name of a query parameter. */
export function pointerOf(place: "query" | "body", member: string): string {
  return place === "body" ? `/${member}` : member;
}

export function faultsOf(place: "query" | "body"): Fault {
  const code = place === "body" ? "invalid-body" : "invalid-parameter";
  return (member, detail, cause) => {
    const pointer = pointerOf(place, member);
    return new ProblemError(code, `${pointer}: ${detail}`, { errors: [{ pointer, detail }], cause });
  };
}
