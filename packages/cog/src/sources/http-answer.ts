import { HttpError, readBytes, readText } from "@swath/http";
import { CogError } from "../errors.ts";

/** What an answer is: a part from `start`, or the whole object where `start` is undefined. */
export interface Answer {
  readonly start?: number;
  /** Bytes its body has, where it says so. */
  readonly size?: number;
  /** Bytes of the object, where it says so. */
  readonly total?: number;
}

/**
 * Checks status and Content-Range of a 200 or 206.
 *
 * @throws {CogError} `range-ignored` when the server sent another range than the requested one.
 */
export function checkAnswer(response: Response, offset: number, length: number, key: string): Answer {
  const declared = response.headers.get("content-length");
  // with a content coding the length is that of the coded bytes
  const coded =
    response.headers.get("content-encoding") !== null && response.headers.get("content-encoding") !== "identity";
  const size = declared === null || coded ? undefined : Number(declared);
  if (response.status === 200) return size === undefined ? {} : { size };
  const range = response.headers.get("content-range");
  const match = range === null ? null : /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range.trim());
  if (match === null) {
    // browsers hide the header unless CORS exposes it
    if (range === null) return { start: offset, ...(size === undefined ? {} : { size }) };
    throw new CogError("range-ignored", `${key}: Content-Range is "${range}".`);
  }
  const start = Number(match[1]);
  const end = Number(match[2]);
  const total = match[3] === "*" ? undefined : Number(match[3]);
  const ends = end - start + 1;
  const short = ends < length && (total === undefined || end + 1 < total);
  if (start !== offset || ends > length || ends < 1 || (size !== undefined && size !== ends)) {
    throw new CogError("range-ignored", `${key}: requested ${length} bytes at ${offset}, got ${range}.`);
  }
  if (short) throw new CogError("unavailable", `${key}: requested ${length} bytes at ${offset}, got only ${range}.`);
  return { start, size: ends, ...(total === undefined ? {} : { total }) };
}

/** What a body is read with. */
export interface ReadHow {
  readonly signal: AbortSignal;
  /** Called with the bytes held so far. */
  readonly onBytes: (held: number) => void;
}

/**
 * Reads a body of at most `bound` bytes.
 *
 * @throws {CogError} `range-ignored` when it is longer, `unavailable` when it ends before its `size`.
 */
export async function readBody(
  response: Response,
  bound: number,
  size: number | undefined,
  key: string,
  how: ReadHow,
): Promise<Uint8Array> {
  if (size !== undefined && size > bound) {
    await response.body?.cancel();
    throw new CogError(
      "range-ignored",
      `${key}: the server sends ${size} bytes where at most ${bound} were requested.`,
    );
  }
  const bytes = await readBytes(response, { maxBytes: bound, ...how }).catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.code !== "too-large") throw error;
    const message = `${key}: the server sends more than the ${bound} requested bytes.`;
    throw new CogError("range-ignored", message, { cause: error });
  });
  if (size !== undefined && bytes.length < size) {
    throw new CogError("unavailable", `${key}: the answer ended after ${bytes.length} of ${size} bytes.`);
  }
  return bytes;
}

const THROTTLED = /SlowDown|Throttl|RequestLimitExceeded|TooManyRequests|BandwidthLimitExceeded|ServiceUnavailable/i;
const MAX_ERROR_BODY = 4096;

/** The error of a status that is neither 200 nor 206. */
export async function statusError(response: Response, key: string): Promise<CogError> {
  const { status } = response;
  const retryAfter = Number(response.headers.get("retry-after"));
  const cause = Object.assign(new Error(`HTTP ${status}`), {
    status,
    ...(retryAfter > 0 ? { retryAfterMs: retryAfter * 1000 } : {}),
  });
  const text = await readText(response, MAX_ERROR_BODY);
  const message = `${key}: the server answered ${status}.`;
  if (status === 404 || status === 410) return new CogError("not-found", message, { cause });
  if (status === 429 || status === 408 || status >= 500) return new CogError("unavailable", message, { cause });
  if (status === 401 || status === 403) {
    return new CogError(THROTTLED.test(text) ? "unavailable" : "forbidden", message, { cause });
  }
  // S3 answers 400 to slow clients and to expired tokens
  if (status === 400 && /RequestTimeout/.test(text)) return new CogError("unavailable", message, { cause });
  return new CogError("forbidden", message, { cause });
}
