import { ProblemError } from "@swath/problem";
import type { z } from "zod";

export const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";

const IS_JSON = /^application\/([a-z0-9!#$&^_.+-]+\+)?json\s*(;|$)/i;
const IS_FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The body that a route takes: a schema for each media type, all of which give the same value. */
export interface BodySpec<B> {
  /** Schema of `application/json` and of types that end in `+json`. */
  readonly json?: z.ZodType<B>;
  /** Schema of `application/x-www-form-urlencoded`: an object of strings, an array where a name was sent twice. */
  readonly form?: z.ZodType<B>;
  readonly maxBytes: number;
}

interface UncheckedBody<B> {
  readonly value: unknown;
  readonly schema: z.ZodType<B>;
}

/**
 * Reads a body of a media type that the route takes, without ever holding more than `maxBytes`. A body without a
 * media type is read as JSON where the route takes it, else as a form.
 *
 * @returns the value, and the schema that it has to pass.
 * @throws {ProblemError} `unsupported-media-type`, `body-too-large`, `invalid-body`.
 */
export async function readBody<B>(request: Request, { json, form, maxBytes }: BodySpec<B>): Promise<UncheckedBody<B>> {
  const type = request.headers.get("Content-Type");
  if (json !== undefined && (type === null || IS_JSON.test(type))) {
    return { value: parseJson(await readText(request, maxBytes, "JSON")), schema: json };
  }
  if (form !== undefined && (type === null || IS_FORM.test(type))) {
    return { value: parseForm(await readText(request, maxBytes, "a form")), schema: form };
  }
  const taken = [...(json === undefined ? [] : [JSON_TYPE]), ...(form === undefined ? [] : [FORM_TYPE])];
  throw unsupportedType(type, taken);
}

function unsupportedType(type: string | null, taken: readonly string[]): ProblemError {
  const found = type === null ? "none" : `"${type}"`;
  return new ProblemError("unsupported-media-type", `Expected Content-Type ${taken.join(" or ")}, got ${found}.`, {
    headers: { Accept: taken.join(", ") },
  });
}

async function readText(request: Request, maxBytes: number, format: string): Promise<string> {
  const bytes = await readBounded(request, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ProblemError("invalid-body", "The body is not UTF-8 text.", {
      cause: error,
      errors: [{ pointer: "", detail: `Expected ${format} in UTF-8.` }],
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail =
      text.trim() === ""
        ? "Expected a JSON object, got an empty body."
        : `The body is not JSON: ${(error as Error).message}.`;
    throw new ProblemError("invalid-body", detail, { cause: error, errors: [{ pointer: "", detail }] });
  }
}

function parseForm(text: string): Record<string, string | string[]> {
  const found = new URLSearchParams(text);
  const values = (name: string): string | string[] => {
    const all = found.getAll(name);
    return all.length === 1 ? (all[0] as string) : all;
  };
  return Object.fromEntries([...new Set(found.keys())].map((name) => [name, values(name)]));
}

/**
 * Reads a body of at most `maxBytes` bytes, without ever holding more than that.
 *
 * @throws {ProblemError} `body-too-large`.
 */
export async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (requestedBytes: number): ProblemError =>
    new ProblemError("body-too-large", `The body may have ${maxBytes} bytes; this one has ${requestedBytes} or more.`, {
      limits: { maxBytes, requestedBytes },
    });
  const declared = Number(request.headers.get("Content-Length") ?? "0");
  if (declared > maxBytes) throw tooLarge(declared);
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body !== null) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length > maxBytes) throw tooLarge(length);
      chunks.push(chunk);
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
