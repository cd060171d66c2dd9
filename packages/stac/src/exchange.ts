import { StacClientError } from "./errors.ts";

/** One request, as plain data. */
export interface Exchange {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ExchangeOptions {
  readonly fetch: typeof globalThis.fetch;
  /** The longest silence, milliseconds: until the answer begins, and between two pieces of it. */
  readonly silenceMs: number;
  /** The most bytes of an answer, after decompression. */
  readonly maxBytes: number;
  /** Ends the exchange: the caller left, or the time for the whole call is over. */
  readonly signal: AbortSignal;
}

/** What came back: the text of the whole body, and when the upstream asks to come back, in seconds. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

/**
 * Sends one request and reads the whole answer, piece by piece, so that a huge one is cut off at the bound.
 *
 * @throws the signal's reason once it aborts; {StacClientError} `timeout`, `too-large` or `unavailable` else.
 */
export async function sendOnce(exchange: Exchange, options: ExchangeOptions): Promise<Answer> {
  const { fetch, silenceMs, maxBytes, signal } = options;
  signal.throwIfAborted();
  const silence = new AbortController();
  const expire = (): void => silence.abort(new StacClientError("timeout", `No answer within ${silenceMs} ms.`));
  let timer = setTimeout(expire, silenceMs);
  const both = AbortSignal.any([signal, silence.signal]);
  try {
    const response = await ended(
      fetch(exchange.url, {
        method: exchange.method,
        headers: exchange.headers,
        signal: both,
        ...(exchange.body === undefined ? {} : { body: exchange.body }),
      }),
      both,
    );
    const beat = (): void => {
      clearTimeout(timer);
      timer = setTimeout(expire, silenceMs);
    };
    return {
      status: response.status,
      type: response.headers.get("Content-Type") ?? "",
      text: await textOf(response, maxBytes, beat, both),
      retryAfter: response.headers.get("Retry-After") ?? undefined,
    };
  } catch (error) {
    signal.throwIfAborted();
    silence.signal.throwIfAborted();
    if (error instanceof StacClientError) throw error;
    throw new StacClientError("unavailable", `The upstream did not answer: ${messageOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function textOf(response: Response, maxBytes: number, beat: () => void, signal: AbortSignal): Promise<string> {
  const tooLarge = (): StacClientError =>
    new StacClientError("too-large", `The answer is larger than ${maxBytes} bytes.`, { status: response.status });
  if (response.body === null) return "";
  const reader = response.body.getReader();
  try {
    const decoder = new TextDecoder();
    let [text, bytes] = ["", 0];
    for (;;) {
      const { done, value } = await ended(reader.read(), signal);
      if (done) return text + decoder.decode();
      beat();
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    // a body that never ends must not keep its connection; whether the cancelling works is of no interest
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

/** `promise`, or the signal's reason as soon as it aborts, for sources that do not listen to it. */
function ended<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
