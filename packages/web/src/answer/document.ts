import type { Context } from "hono";
import { JSON_TYPE } from "../media-types.ts";
import { conditional, fingerprint } from "./conditional.ts";

/** Headers and version of a document. */
export interface DocumentOptions {
  /** Media type; by default that of JSON. */
  readonly type?: string;
  readonly cacheControl: string;
  /** Version that starts the ETag. */
  readonly version: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON document with its ETag, answered 304 to who holds it already. A string is sent as it is. */
export function sendDocument(c: Context, value: unknown, options: DocumentOptions): Promise<Response> {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const { type = JSON_TYPE, cacheControl, version, headers } = options;
  return conditional(
    c,
    { etag: `"s${version}-${fingerprint(text)}"`, cacheControl, ...(headers === undefined ? {} : { headers }) },
    () => {
      return new Response(text, {
        headers: { "Content-Type": type, "Content-Length": String(Buffer.byteLength(text)) },
      });
    },
  );
}
