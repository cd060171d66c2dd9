const complete = new WeakSet<Response>();

/** Marks an answer of unknown length whose body is there already, so that {@link withFirstBytes} does not read it. */
export function completeAnswer(response: Response): Response {
  complete.add(response);
  return response;
}

/**
 * Waits for the first bytes of a body without a known length: one that fails before them is a failed request. A body
 * of known length is there already, and is not touched: reading it here would make a stream of bytes that are else
 * written at once.
 *
 * @returns an answer with the same status, headers and bytes.
 * @throws what the body fails with before its first bytes, or the reason of the signal.
 */
export async function withFirstBytes(response: Response, signal: AbortSignal): Promise<Response> {
  if (complete.has(response) || response.headers.has("Content-Length") || response.body === null) return response;
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  let first: ReadableStreamReadResult<Uint8Array>;
  try {
    signal.throwIfAborted();
    first = await reader.read();
    signal.throwIfAborted();
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  const next = (controller: ReadableStreamDefaultController<Uint8Array>, chunk: typeof first): void => {
    if (chunk.done) controller.close();
    else controller.enqueue(chunk.value);
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => next(controller, first),
    pull: async (controller) => next(controller, await reader.read()),
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
