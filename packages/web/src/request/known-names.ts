import type { z } from "zod";

/** The parts of zod's definitions that lead from a schema to the members of its objects. */
interface Definition {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** Names of the members that a schema takes in the object at `path`; in a union those of every branch. */
export function knownNames(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { shape, innerType, element, in: input, options } = schema.def as Definition;
  const inner = innerType ?? input;
  if (inner !== undefined) return knownNames(inner, path);
  if (Array.isArray(options)) return options.flatMap((option: z.ZodType) => knownNames(option, path));
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(shape ?? {});
  const next = element ?? shape?.[String(key)];
  return next === undefined ? [] : knownNames(next, rest);
}
