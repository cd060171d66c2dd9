import type { Meter, Receipt } from "@swath/accounts";
import { receiptHeaders } from "../../errors/unit-headers.ts";
import { ClientClosedError } from "../../../../../packages/web/src/request/request-scope.ts";

/**
 * Runs a request and settles its cost: a good answer is charged; a problem, a 304, an error, and an answer whose
 * client closed the connection before its first byte are released. A 304 says that it cost nothing: a cache puts its
 * headers in place of those of the answer that it keeps (RFC 9111 section 4.3.4).
 *
 * @param signal aborted with a `ClientClosedError` when the client closes the connection.
 */
export async function settle(
  meter: Meter,
  signal: AbortSignal,
  run: () => Promise<Response> | Response,
): Promise<Response> {
  let response: Response;
  try {
    response = await run();
    if (isGood(response) && (meter.cost ?? 0) > 0) response = await withFirstBytes(response, signal);
  } catch (error) {
    await meter.release(isClosed(signal) ? "left" : "failed");
    throw error;
  }
  if (!isGood(response) || isClosed(signal)) {
    await meter.release(isClosed(signal) ? "left" : "failed");
    return response.status === 304 ? withReceipt(response, meter.unchargedReceipt()) : response;
  }
  try {
    withReceipt(response, await meter.charge());
  } catch (error) {
    await response.body?.cancel(error);
    throw error;
  }
  // the client may have gone while the charge was written
  if (isClosed(signal)) meter.refund();
  else meter.confirm();
  return response;
}

function withReceipt(response: Response, receipt: Receipt): Response {
  for (const [name, value] of Object.entries(receiptHeaders(receipt))) response.headers.set(name, value);
  return response;
}

/** Whether the client has closed the connection of the request with this signal. */
export function isClosed(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof ClientClosedError;
}

function isGood({ status }: Response): boolean {
  return status < 400 && status !== 304;
}

const complete = new WeakSet<Response>();

/** Marks an answer of unknown length whose body is there already, so that it is not read here. */
export function completeAnswer(response: Response): Response {
  complete.add(response);
  return response;
}

/**
 * Waits for the first bytes of a body without a known length: one that fails before them is a failed request. A body
 * of known length is there already, and is not touched: reading it here would make a stream of bytes that are else
 * written at once.
 */
async function withFirstBytes(response: Response, signal: AbortSignal): Promise<Response> {
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
