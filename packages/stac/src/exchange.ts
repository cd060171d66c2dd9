import { type Fetch, HttpError, readBytes, send, TimeLimit } from "@swath/http";
import { StacClientError } from "./errors.ts";

/** One request, as plain data. */
export interface Exchange {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ExchangeOptions {
  readonly fetch: Fetch;
  /** The longest time without a byte, milliseconds: until the response begins, and between two chunks of it. */
  readonly silenceMs: number;
  /** The most bytes of an answer, after decompression. */
  readonly maxBytes: number;
  /** Ends the exchange: the caller gave up, or the time for the whole call is over. */
  readonly signal: AbortSignal | undefined;
}

/** A response: the text of the whole body, and `Retry-After` as the header has it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

/**
 * Sends one request and reads the whole answer.
 *
 * @throws the signal's reason once it aborts; {StacClientError} `timeout`, `too-large` or `unavailable` else.
 */
export async function sendOnce(exchange: Exchange, options: ExchangeOptions): Promise<Answer> {
  const { fetch, silenceMs, maxBytes, signal } = options;
  signal?.throwIfAborted();
  const silence = new TimeLimit(silenceMs, `No answer within ${silenceMs} ms.`, signal);
  let status: number | undefined;
  try {
    const response = await send(exchange, { fetch, signal: silence.signal });
    status = response.status;
    const bytes = await readBytes(response, { maxBytes, signal: silence.signal, onBytes: () => silence.restart() });
    return {
      status,
      type: response.headers.get("Content-Type") ?? "",
      text: new TextDecoder().decode(bytes),
      retryAfter: response.headers.get("Retry-After") ?? undefined,
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw toStacError(silence.isOver ? silence.signal.reason : error, status);
  } finally {
    silence.end();
  }
}

/** Turns the error of an exchange into the one that callers get. @param status of the answer, where there was one */
export function toStacError(error: unknown, status?: number): StacClientError {
  if (error instanceof StacClientError) return error;
  if (error instanceof HttpError && error.code === "timeout") {
    return new StacClientError("timeout", error.message, { cause: error });
  }
  if (error instanceof HttpError && error.code === "too-large") {
    return new StacClientError("too-large", error.message, { cause: error, status });
  }
  if (error instanceof HttpError && error.code === "paused") {
    return new StacClientError("unavailable", `The upstream is asked no faster: ${error.message}`, {
      cause: error,
      retryAfter: error.retryAfter,
    });
  }
  return new StacClientError("unavailable", `The upstream did not answer: ${messageOf(error)}.`, { cause: error });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
