import { join, normalize, sep } from "node:path";
import { sendFile } from "../../http/byte-range.ts";
import type { AppContext } from "../../http/context.ts";
import { LegacyError, stacForm } from "../errors.ts";
import type { LegacyUpstream } from "../upstream.ts";
import { LinkRewriter } from "./links.ts";
import { forwardedRequest, forwardedSearch } from "./request.ts";

export interface PassThroughLimits {
  /** Most bytes of one answer of the upstream. */
  readonly maxBytes: number;
  /** Longest pause between two pieces of an answer, milliseconds. */
  readonly silenceMs: number;
}

export const PASS_THROUGH_LIMITS: PassThroughLimits = { maxBytes: 64 * 1_048_576, silenceMs: 15_000 };

/** Headers of the upstream that mean the same here. Lengths, encodings and validators do not: the body is another. */
const PASSED = ["Content-Type", "Retry-After", "Content-Language"];
/** An escaped separator may become one upstream, and lead elsewhere. */
const ESCAPED_SEPARATOR = /%(2f|5c)/i;
const JSON_TYPE = /^application\/([a-z0-9.+-]+\+)?json\b/i;

/** What of a request the STAC host looks at: the path below its root and where that root is for the client. */
export interface LegacyCall {
  /** Without the mount; starts with a slash, ends without one. */
  readonly path: string;
  /** Address of the host or mount as the client sees it, without a slash at the end. */
  readonly root: string;
}

/**
 * Sends a request on to the upstream and its answer back as it comes: status and body, the links leading here.
 *
 * @throws {LegacyError} 405, 502 where the upstream cannot be reached, 504 where it does not answer in time.
 */
export async function passThrough(
  c: AppContext,
  upstream: LegacyUpstream,
  { path, root }: LegacyCall,
  limits = PASS_THROUGH_LIMITS,
): Promise<Response> {
  if (ESCAPED_SEPARATOR.test(path)) throw new LegacyError(404, stacForm(404, "Not Found"));
  const init = await forwardedRequest(c.req.raw, path);
  const address = `${upstream.root}${path === "/" ? "" : path}${forwardedSearch(new URL(c.req.url).search)}`;
  const controller = new AbortController();
  const abort = (): void => controller.abort(c.get("signal").reason);
  c.get("signal").throwIfAborted();
  c.get("signal").addEventListener("abort", abort, { once: true });
  let answer: Response;
  try {
    answer = await upstream.fetch(address, { ...init, signal: controller.signal });
  } catch (cause) {
    c.get("signal").throwIfAborted();
    throw new LegacyError(502, stacForm(502, "The upstream catalog did not answer."), { cause });
  }
  // shared caches must not store a response that needs a key
  const headers = new Headers({ "Cache-Control": answer.ok ? "private, max-age=60" : "no-store" });
  for (const name of PASSED) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (c.req.method === "HEAD" || answer.body === null) {
    controller.abort();
    return new Response(null, { status: answer.status, headers });
  }
  const isJson = JSON_TYPE.test(answer.headers.get("Content-Type") ?? "");
  if (upstream.directory !== undefined && isJson) {
    // made in this process: whole already, and its files are served here too
    return new Response((await answer.text()).replaceAll(upstream.root, root), { status: answer.status, headers });
  }
  const rewriter = isJson ? new LinkRewriter(upstream.root, root) : undefined;
  return new Response(relayed(answer.body, rewriter, controller, limits), { status: answer.status, headers });
}

/** A streamed body: bounded, aborted after a silence, and released when the client disconnects. */
export function relayed(
  body: ReadableStream<Uint8Array>,
  rewriter: LinkRewriter | undefined,
  controller: AbortController,
  { maxBytes, silenceMs }: PassThroughLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let bytes = 0;
  const rewritten = (piece: Uint8Array | undefined): Uint8Array => {
    if (rewriter === undefined) return piece ?? new Uint8Array();
    const text = rewriter.push(decoder.decode(piece, { stream: piece !== undefined }));
    return encoder.encode(piece === undefined ? text + rewriter.end() : text);
  };
  const next = async (): Promise<Uint8Array | undefined> => {
    const timer = setTimeout(
      () => controller.abort(new Error(`The upstream sent nothing for ${silenceMs} ms.`)),
      silenceMs,
    );
    try {
      const { value } = await reader.read();
      return value;
    } finally {
      clearTimeout(timer);
    }
  };
  return new ReadableStream({
    async pull(sink) {
      // a piece may be held back whole: the next one may bring something
      for (;;) {
        const piece = await next();
        bytes += piece?.byteLength ?? 0;
        if (bytes > maxBytes) {
          controller.abort();
          throw new Error(`The upstream's answer has more than ${maxBytes} bytes.`);
        }
        const out = rewritten(piece);
        if (out.byteLength > 0) sink.enqueue(out);
        if (piece === undefined) sink.close();
        if (piece === undefined || out.byteLength > 0) return;
      }
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
export function archiveFile(c: AppContext, directory: string, path: string): Promise<Response> {
  const name = normalize(decoded(path.slice(1)));
  const file = join(directory, name);
  if (!file.startsWith(directory + sep) || !name.startsWith(`assets${sep}`) || name.includes("\0")) {
    throw new LegacyError(404, stacForm(404, "Not Found"));
  }
  const type = name.endsWith(".tif") ? "image/tiff; application=geotiff; profile=cloud-optimized" : undefined;
  return sendFile(c, file, {
    "Content-Type": type ?? "application/octet-stream",
    "Cache-Control": "public, max-age=3600",
  });
}
