import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { weightsOf } from "./media-choice.ts";

const COMPRESSIBLE = /^(application\/(.+\+)?(json|xml)|application\/vnd\.oai\.openapi|text\/|image\/svg)/;
const MINIMUM_BYTES = 1024;

/** `br` or `gzip`, whichever the client likes better, `br` first; undefined where it accepts neither (RFC 9110 section 12.5.3). */
export function chooseEncoding(acceptEncoding: string | undefined): "br" | "gzip" | undefined {
  const weights = weightsOf(acceptEncoding);
  const weight = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const br = weight("br");
  const gzip = weight("gzip");
  if (br === 0 && gzip === 0) return undefined;
  return br >= gzip ? "br" : "gzip";
}

/** Compresses documents over 1 kB as they stream; images and TIFFs pass as they are. */
export const compress: MiddlewareHandler = async (c, next) => {
  await next();
  const { res } = c;
  if (!COMPRESSIBLE.test(res.headers.get("Content-Type") ?? "") || res.headers.has("Content-Encoding")) return;
  // not asked before: to look at the body of an image makes a stream of bytes that would else go out as they are
  if (res.body === null) return;
  const length = res.headers.get("Content-Length");
  if (length !== null && Number(length) < MINIMUM_BYTES) return;
  if (!/accept-encoding/i.test(res.headers.get("Vary") ?? "")) res.headers.append("Vary", "Accept-Encoding");
  const encoding = chooseEncoding(c.req.header("Accept-Encoding"));
  if (encoding === undefined || c.req.method === "HEAD") return;
  const encoder =
    encoding === "br"
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : createGzip({ level: 5 });
  // A body that breaks off breaks the compressed one off too; the client sees an incomplete answer, as it should.
  const body = pipeline(Readable.fromWeb(res.body as NodeReadableStream), encoder, () => {});
  const etag = res.headers.get("ETag");
  c.res = new Response(Readable.toWeb(body) as ReadableStream, { status: res.status, headers: res.headers });
  // after it is set: setting an answer hands on the headers of the one before
  c.res.headers.set("Content-Encoding", encoding);
  c.res.headers.delete("Content-Length");
  if (etag !== null && !etag.startsWith("W/")) c.res.headers.set("ETag", `W/${etag}`);
};
