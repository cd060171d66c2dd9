import type * as z from "zod";

type RawIssue = z.core.$ZodRawIssue;

/** Names of zod's types in everyday words. */
const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
  tuple: "an array",
  null: "null",
  date: "a date",
  nonoptional: "a value",
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a date and time as RFC 3339 writes it",
  date: "a date such as 2024-06-15",
  time: "a time such as 10:07:41",
  duration: "a duration such as P1D",
  email: "an e-mail address",
  url: "an absolute URL",
  uuid: "a UUID",
  guid: "a UUID",
};
/** Longest value that is repeated in a message, characters. */
const MAX_SHOWN = 40;

/** Names an expected type as zod states it: `an object` for `object`. */
export function typeInWords(type: string): string {
  return TYPES[type] ?? type;
}

/** Describes the given value in at most 40 characters. */
export function found(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function counted(count: number | bigint, one: string, many: string): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}

/** A bound with the unit that the value is counted in, and the size of the value. */
function sizeOf(origin: string, bound: number | bigint, value: unknown): readonly [string, string] {
  if (origin === "string") return [counted(bound, "character", "characters"), String((value as string).length)];
  if (origin === "array") return [counted(bound, "entry", "entries"), String((value as unknown[]).length)];
  return [String(bound), found(value)];
}

/**
 * The message of a fault for which a schema has none; pass it to zod's `parse` as `error`. Every message
 * says what is expected and what came: `Expected a whole number, got "x".`, `Missing: expected an object.`
 *
 * @returns undefined for faults whose message `pointersFromZod` writes.
 */
export function zodMessage(issue: RawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type": {
      const expected = typeInWords(issue.expected);
      return input === undefined ? `Missing: expected ${expected}.` : `Expected ${expected}, got ${found(input)}.`;
    }
    case "invalid_value": {
      const values = issue.values.map((each) => found(each));
      const expected = values.length === 1 ? `Expected ${values[0]}` : `Expected one of ${values.join(", ")}`;
      return input === undefined ? `Missing: e${expected.slice(1)}.` : `${expected}; got ${found(input)}.`;
    }
    case "too_small": {
      const [bound, size] = sizeOf(issue.origin, issue.minimum, input);
      return `Expected ${issue.inclusive === false ? "more than" : "at least"} ${bound}, got ${size}.`;
    }
    case "too_big": {
      const [bound, size] = sizeOf(issue.origin, issue.maximum, input);
      return `Expected ${issue.inclusive === false ? "less than" : "at most"} ${bound}, got ${size}.`;
    }
    case "not_multiple_of":
      return `Expected a multiple of ${issue.divisor}, got ${found(input)}.`;
    case "invalid_format": {
      const expected = issue.format === "regex" ? `text that matches ${issue.pattern}` : FORMATS[issue.format];
      return `Expected ${expected ?? issue.format}, got ${found(input)}.`;
    }
    case "invalid_union":
      return "This has none of the forms that are taken here.";
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "This value is not taken here.";
    default:
      return undefined;
  }
}
