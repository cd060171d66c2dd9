import { join, sep } from "node:path";
import { HttpError, readBytes, TimeLimit } from "@swath/http";
import type { WebContext } from "@swath/web";
import { pathBelow, sendFile } from "@swath/web/files";
import { LegacyError, stacForm } from "../errors.ts";
import type { LegacyUpstream } from "../upstream.ts";
import { moveLinks } from "./links.ts";
import { forwardedRequest, forwardedSearch } from "./request.ts";

export interface PassThroughLimits {
  /** Most bytes of one answer of the upstream, after decompression. */
  readonly maxBytes: number;
  /** Longest pause before an answer and between two pieces of it, milliseconds. */
  readonly silenceMs: number;
}

/** Earth Search answers no more than 6 MB. */
export const PASS_THROUGH_LIMITS: PassThroughLimits = { maxBytes: 24 * 1_048_576, silenceMs: 15_000 };

/** Headers of the upstream that mean the same here. Lengths, encodings and validators do not: the body is another. */
const PASSED = ["Content-Type", "Retry-After", "Content-Language"];
/** An escaped separator may become one upstream, and lead elsewhere. */
const ESCAPED_SEPARATOR = /%(2f|5c)/i;
/** The answers of a STAC API that are no JSON: its documentation for people, and thumbnails. */
const OTHER_TYPES = /\/(api\.html|items\/[^/]+\/thumbnail)$/;
/** Statuses that stand for a gateway that has no answer, whatever it wrote into the body. */
const GATEWAY_STATUSES: readonly number[] = [429, 503, 504];

/** The parts of a request that the STAC host reads: the path below its root and where that root is for the client. */
export interface LegacyCall {
  /** Without the mount; starts with a slash, ends without one. */
  readonly path: string;
  /** Address of the host or mount as the client sees it, without a slash at the end. */
  readonly root: string;
}

/**
 * Sends a request on to the upstream and its answer back: status and document, the links leading here. A document is
 * read whole before the first byte is sent on, so that one that is cut off never looks like an answer.
 *
 * @throws {LegacyError} 405; 502 for an upstream that cannot be reached or whose answer is cut off, too large or no
 *   JSON; 504 where it does not answer in time.
 */
export async function passThrough(
  c: WebContext,
  upstream: LegacyUpstream,
  { path, root }: LegacyCall,
  limits = PASS_THROUGH_LIMITS,
): Promise<Response> {
  if (ESCAPED_SEPARATOR.test(path)) throw new LegacyError(404, stacForm(404, "Not Found"));
  const init = await forwardedRequest(c.req.raw, path);
  const address = `${upstream.root}${path === "/" ? "" : path}${forwardedSearch(new URL(c.req.url).search)}`;
  const caller = c.get("signal");
  caller.throwIfAborted();
  const isHead = c.req.method === "HEAD";
  try {
    if (OTHER_TYPES.test(path)) return await passStream(upstream, address, init, { caller, isHead, limits });
    const silence = new TimeLimit(limits.silenceMs, `The upstream sent nothing for ${limits.silenceMs} ms.`, caller);
    try {
      const answer = await upstream.fetch(address, { ...init, signal: silence.signal });
      const { maxBytes } = limits;
      const bytes = await readBytes(answer, { maxBytes, signal: silence.signal, onBytes: () => silence.restart() });
      const text = new TextDecoder().decode(bytes);
      if (!isJson(text)) throw notJson(answer);
      return new Response(isHead ? null : withLinksHere(text, upstream, root), {
        status: answer.status,
        headers: passedHeaders(answer),
      });
    } finally {
      silence.end();
    }
  } catch (error) {
    caller.throwIfAborted();
    throw toLegacyError(error);
  }
}

/** Passes on answers that are no documents, in pieces as the upstream sends them. */
async function passStream(
  upstream: LegacyUpstream,
  address: string,
  init: RequestInit,
  { caller, isHead, limits }: { caller: AbortSignal; isHead: boolean; limits: PassThroughLimits },
): Promise<Response> {
  const controller = new AbortController();
  caller.addEventListener("abort", () => controller.abort(caller.reason), { once: true });
  const answer = await upstream.fetch(address, { ...init, signal: controller.signal });
  const options = { status: answer.status, headers: passedHeaders(answer) };
  if (!isHead && answer.body !== null) return new Response(relayed(answer.body, controller, limits), options);
  controller.abort();
  return new Response(null, options);
}

function passedHeaders(answer: Response): Headers {
  // shared caches must not store a response that needs a key
  const headers = new Headers({ "Cache-Control": answer.ok ? "private, max-age=60" : "no-store" });
  for (const name of PASSED) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withLinksHere(text: string, upstream: LegacyUpstream, root: string): string {
  // made in this process: its files are served here too
  if (upstream.directory !== undefined) return text.replaceAll(upstream.root, root);
  return moveLinks(text, upstream.root, root);
}

/** An answer that is no document of the API: a page of a gateway, or one that was cut off. */
function notJson(answer: Response): LegacyError {
  const status = GATEWAY_STATUSES.includes(answer.status) ? answer.status : 502;
  const retryAfter = answer.headers.get("Retry-After");
  const detail = answer.ok
    ? "The upstream catalog's answer is no JSON, or was cut off."
    : `The upstream catalog answered ${answer.status} without a document.`;
  return new LegacyError(status, stacForm(status, detail), {
    headers: retryAfter === null ? {} : { "Retry-After": retryAfter },
  });
}

function toLegacyError(error: unknown): unknown {
  if (error instanceof LegacyError) return error;
  if (error instanceof HttpError && error.code === "timeout") {
    return new LegacyError(504, stacForm(504, "The upstream catalog did not answer in time."), { cause: error });
  }
  const detail =
    error instanceof HttpError && error.code === "too-large"
      ? "The upstream catalog's answer is too large."
      : "The upstream catalog did not answer.";
  return new LegacyError(502, stacForm(502, detail), { cause: error });
}

/** A streamed body: bounded, aborted after a silence, and released when the client disconnects. */
export function relayed(
  body: ReadableStream<Uint8Array>,
  controller: AbortController,
  { maxBytes, silenceMs }: PassThroughLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream({
    async pull(sink) {
      const silence = new Error(`The upstream sent nothing for ${silenceMs} ms.`);
      const timer = setTimeout(() => controller.abort(silence), silenceMs);
      const { value } = await reader.read().finally(() => clearTimeout(timer));
      if (value === undefined) return sink.close();
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        controller.abort();
        throw new Error(`The upstream's answer has more than ${maxBytes} bytes.`);
      }
      sink.enqueue(value);
    },
    cancel: () => controller.abort(),
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** A file of the embedded archive, which its items name; free, as the files of public archives are. */
export function archiveFile(c: WebContext, directory: string, path: string): Promise<Response> {
  const file = pathBelow(directory, decoded(path.slice(1)));
  if (file === undefined || !file.startsWith(join(directory, "assets") + sep)) {
    throw new LegacyError(404, stacForm(404, "Not Found"));
  }
  const type = file.endsWith(".tif") ? "image/tiff; application=geotiff; profile=cloud-optimized" : undefined;
  return sendFile(c, file, {
    "Content-Type": type ?? "application/octet-stream",
    "Cache-Control": "public, max-age=3600",
  });
}
