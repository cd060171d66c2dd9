import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { FORM_TYPE, JSON_TYPE } from "../media-types.ts";
import { RequestProblem } from "../problems.ts";

const IS_JSON = /^application\/([a-z0-9!#$&^_.+-]+\+)?json\s*(;|$)/i;
const IS_FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The body that a route takes: a schema for each media type, all of which give the same value. */
export interface BodySpec<B> {
  /** Schema of `application/json` and of types that end in `+json`. */
  readonly json?: z.ZodType<B>;
  /** Schema of `application/x-www-form-urlencoded`: an object of strings, an array where a name was sent twice. */
  readonly form?: z.ZodType<B>;
  readonly maxBytes: number;
  /** The error that the route's protocol has for a body of another media type or without the form of one. */
  readonly fault?: (error: RequestProblem) => Error;
}

/** A body that is read, and not yet checked. */
export interface UncheckedBody<B> {
  readonly value: unknown;
  readonly schema: z.ZodType<B>;
}

/**
 * Reads a body of a media type that the route takes, without ever holding more than `maxBytes`. A body without a
 * media type is read as JSON where the route takes it, else as a form.
 *
 * @returns the value, and the schema that it has to pass.
 * @throws {RequestProblem} `unsupported-media-type`, `body-too-large`, `invalid-body`.
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

function unsupportedType(type: string | null, taken: readonly string[]): RequestProblem {
  const found = type === null ? "none" : `"${type}"`;
  return new RequestProblem("unsupported-media-type", `Expected Content-Type ${taken.join(" or ")}, got ${found}.`, {
    headers: { Accept: taken.join(", ") },
  });
}

async function readText(request: Request, maxBytes: number, format: string): Promise<string> {
  const bytes = await readBounded(request, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new RequestProblem("invalid-body", "The body is not UTF-8 text.", {
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
        : `The body is not JSON${placeIn(text, error as Error)}.`;
    throw new RequestProblem("invalid-body", detail, { cause: error, errors: [{ pointer: "", detail }] });
  }
}

/**
 * Returns the place at which JSON goes wrong by the JavaScript engine's message, as the end of a sentence, if it has
 * one.
 */
export function placeIn(text: string, { message }: Error): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return `: the fault is at character ${Number(position) + 1}`;
  return /^Unexpected end/.test(message) ? `: it ends after ${text.length} characters` : "";
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
 * Reads a body of at most `maxBytes` bytes, without ever holding more than that. A body with `Content-Encoding: gzip`
 * is inflated, and may have `maxBytes` before and after.
 *
 * @throws {RequestProblem} `body-too-large`; `unsupported-media-type` for another encoding; `invalid-body` for what is
 * not gzip.
 */
export async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip" && encoding !== "x-gzip") {
    const detail = `Expected a body that is not encoded or has Content-Encoding gzip, got "${encoding}".`;
    throw new RequestProblem("unsupported-media-type", detail, { headers: { "Accept-Encoding": "gzip" } });
  }
  const declared = Number(request.headers.get("Content-Length") ?? "0");
  if (declared > maxBytes) throw tooLarge(maxBytes, declared);
  if (request.body === null) return new Uint8Array(0);
  const sent = chunksOf(request.body);
  return encoding === "identity" ? gather(sent, maxBytes) : gather(inflated(sent, maxBytes), maxBytes);
}

function tooLarge(maxBytes: number, requestedBytes: number): RequestProblem {
  const detail = `The body may have ${maxBytes} bytes; this one has ${requestedBytes} or more.`;
  return new RequestProblem("body-too-large", detail, { limits: { maxBytes, requestedBytes } });
}

const chunksOf = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> =>
  body as unknown as AsyncIterable<Uint8Array>;

/** @throws {RequestProblem} `body-too-large` for more than `maxBytes` bytes of gzip: what they inflate to is counted elsewhere. */
async function* inflated(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  // an error of the connection ends the inflater too, and is kept apart from bytes that are no gzip
  let connection: { readonly error: unknown } | undefined;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      let length = 0;
      for await (const chunk of chunks) {
        length += chunk.byteLength;
        if (length > maxBytes) throw tooLarge(maxBytes, length);
        yield chunk;
      }
    } catch (error) {
      connection = { error };
      throw error;
    }
  };
  const gunzip = createGunzip();
  pipeline(watched, gunzip, () => {});
  try {
    yield* gunzip;
  } catch (error) {
    if (connection !== undefined) throw connection.error;
    const detail = "The body is not whole gzip data, which its Content-Encoding says it is.";
    throw new RequestProblem("invalid-body", detail, { cause: error, errors: [{ pointer: "", detail }] });
  }
}

async function gather(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes, length);
    kept.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of kept) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
