import type { Json } from "./recordings.ts";

/** A request as a host sees it, under the address that the client meant. */
export interface ReplayRequest {
  readonly method: string;
  /** The real address: `https://earth-search.aws.element84.com/v1/search`. */
  readonly url: URL;
  /** Path and query as they were sent, for signatures. */
  readonly target: string;
  /** By names in lower case; `host` is the real one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The answer of a host. An object is sent as JSON. */
export interface ReplayAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Json;
}

/** One host, or several that work in the same way. */
export type Host = (request: ReplayRequest) => ReplayAnswer | Promise<ReplayAnswer>;

export const GEOJSON = "application/geo+json";
const JSON_TYPE = "application/json";

/** An answer in JSON. */
export function json(body: Json, status = 200, type = JSON_TYPE): ReplayAnswer {
  return { status, headers: { "content-type": type }, body };
}

/** The body of a request as a JSON object; `undefined` where it is none. An absent body is an empty object. */
export function bodyObject({ body }: ReplayRequest): Json | undefined {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The file or the part of it that the request asks for, as object stores answer. */
export function fileAnswer(
  { method, headers }: ReplayRequest,
  bytes: Uint8Array,
  more: Readonly<Record<string, string>> = {},
): ReplayAnswer {
  const common = {
    "accept-ranges": "bytes",
    "content-type": "image/tiff",
    etag: `"${bytes.length}"`,
    "last-modified": "Wed, 01 Jan 2025 00:00:00 GMT",
    ...more,
  };
  const match = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "");
  const [from, to] = match === null ? [0, bytes.length - 1] : [Number(match[1]), Number(match[2] || bytes.length - 1)];
  if (from >= bytes.length) return { status: 416, headers: { ...common, "content-range": `bytes */${bytes.length}` } };
  const end = Math.min(to, bytes.length - 1);
  const part = bytes.subarray(from, end + 1);
  const length = { "content-length": String(part.length) };
  const range = match === null ? {} : { "content-range": `bytes ${from}-${end}/${bytes.length}` };
  return {
    status: match === null ? 200 : 206,
    headers: { ...common, ...length, ...range },
    ...(method === "HEAD" ? {} : { body: part }),
  };
}

/** An error document of S3 and of Azure's blobs. */
export function xmlError(status: number, code: string, message: string, inner = ""): ReplayAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${inner}</Error>`;
  return { status, headers: { "content-type": "application/xml" }, body: text };
}
