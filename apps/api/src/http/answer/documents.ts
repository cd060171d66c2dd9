import { JSON_TYPE } from "../../documents/media-types.ts";
import type { AppContext } from "../request/context.ts";
import { conditional, fingerprint } from "../../../../../packages/web/src/answer/conditional.ts";

export { GEOJSON, JSON_TYPE, OPENAPI_TYPE } from "../../documents/media-types.ts";

export interface DocumentOptions {
  readonly type?: string;
  readonly cacheControl: string;
  /** Version that starts the ETag. */
  readonly version: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON document with its ETag, answered 304 to who holds it already. */
export function sendDocument(c: AppContext, value: unknown, options: DocumentOptions): Promise<Response> {
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

export const CACHE_DOCUMENT = "public, max-age=600";
/** Documents that lack what the upstream would have said. */
export const CACHE_FALLBACK = "public, max-age=30";
export const CACHE_ITEM = "public, max-age=300";
export const CACHE_SEARCH = "private, max-age=60";
export const NO_STORE = "no-store";
