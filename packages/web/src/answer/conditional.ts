import { createHash } from "node:crypto";
import type { Context } from "hono";

/** First 16 hexadecimal digits of the SHA-256 of `text`. */
export function fingerprint(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Whether `If-None-Match` names `etag` (RFC 9110 section 13.1.2: weak comparison, lists and `*`). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/** Headers that say how long an answer may be kept, and by which name. */
export interface CacheRules {
  readonly etag: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers 304 when the client already holds what `etag` names, else what `respond` makes: so a repeated request
 * costs no pixel.
 */
export async function conditional(
  c: Context,
  rules: CacheRules,
  respond: () => Promise<Response> | Response,
): Promise<Response> {
  const headers = {
    ETag: rules.etag,
    "Cache-Control": rules.cacheControl,
    Vary: "Accept-Encoding, Origin",
    ...rules.headers,
  };
  if (matchesEtag(c.req.header("If-None-Match"), rules.etag)) return new Response(null, { status: 304, headers });
  const response = await respond();
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
