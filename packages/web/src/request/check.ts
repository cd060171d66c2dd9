import { type ProblemPointer, pointersFromZod, zodMessage } from "@swath/problem";
import type { z } from "zod";
import { RequestProblem } from "../problems.ts";
import { knownNames } from "./known-names.ts";

/** The end of a message about an unknown name, such as ` Did you mean "red"?`; empty where no known name is near. */
export type Suggest = (given: string, known: readonly string[]) => string;

/** All faults in one text. */
export function detailOf(errors: readonly ProblemPointer[]): string {
  return errors.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer}: ${detail}`)).join(" ");
}

/**
 * The value as a schema reads it.
 *
 * @throws {RequestProblem} `invalid-parameter` or `invalid-body` with a pointer for each fault.
 * @param suggest ends the message about an unknown name
 */
export function check<T>(
  schema: z.ZodType<T> | undefined,
  value: unknown,
  where: "query" | "body",
  suggest?: Suggest,
): T {
  if (schema === undefined) return value as T;
  const parsed = schema.safeParse(value, { error: zodMessage, reportInput: true });
  if (parsed.success) return parsed.data;
  const unknownKey = (path: readonly PropertyKey[]): string => {
    const name = String(path.at(-1));
    const hint = suggest?.(name, knownNames(schema, path.slice(0, -1))) ?? "";
    return `Unknown ${where === "body" ? "member" : "parameter"} "${name}".${hint}`;
  };
  const errors = pointersFromZod(parsed.error.issues, { in: where, unknownKey });
  const code = where === "body" ? "invalid-body" : "invalid-parameter";
  throw new RequestProblem(code, detailOf(errors), { errors });
}
