import { didYouMean } from "@swath/engine";
import { type ProblemPointer, pointersFromZod, zodMessage } from "@swath/problem";
import type { z } from "zod";
import { ProblemError } from "../../../../apps/api/src/errors/problems.ts";
import { knownNames } from "./known-names.ts";

/** All faults in one text. */
export function detailOf(errors: readonly ProblemPointer[]): string {
  return errors.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer}: ${detail}`)).join(" ");
}

/**
 * The value as a schema reads it.
 *
 * @throws {ProblemError} `invalid-parameter` or `invalid-body` with a pointer for each fault, and the nearest known name
 *   for each unknown one.
 */
export function check<T>(schema: z.ZodType<T> | undefined, value: unknown, where: "query" | "body"): T {
  if (schema === undefined) return value as T;
  const parsed = schema.safeParse(value, { error: zodMessage, reportInput: true });
  if (parsed.success) return parsed.data;
  const unknownKey = (path: readonly PropertyKey[]): string => {
    const name = String(path.at(-1));
    const hint = didYouMean(name, knownNames(schema, path.slice(0, -1)));
    return `Unknown ${where === "body" ? "member" : "parameter"} "${name}".${hint}`;
  };
  const errors = pointersFromZod(parsed.error.issues, { in: where, unknownKey });
  const code = where === "body" ? "invalid-body" : "invalid-parameter";
  throw new ProblemError(code, detailOf(errors), { errors });
}
