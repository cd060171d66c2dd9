import { HttpError, readBytes } from "@swath/http";
import { CogError } from "../errors.ts";

/** The body of an answer: a part from `start`, or the whole object where `start` is undefined. */
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

/** Options for reading a body. */
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

/** Is the answer a page for people, as servers send in place of a file to those who have not logged in? */
export function isPage(response: Response): boolean {
  return (
    response.status === 200 &&
    /^\s*(text\/html|application\/xhtml\+xml)/i.test(response.headers.get("content-type") ?? "")
  );
}

/** Do bytes begin as an HTML page does? */
export function startsAsPage(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  return /^<(!doctype\s+html|html)\b/i.test(start);
}
