import { isClosed } from "@swath/web";
import { withFirstBytes } from "@swath/web/answers";
import type { Receipt } from "../../metering/answers/admission.ts";
import type { Meter } from "../../metering/answers/meter.ts";
import { receiptHeaders } from "./receipt-headers.ts";

/**
 * Runs a request and settles its cost: a good answer is charged; a problem, a 304, an error, and an answer whose
 * client closed the connection before its first byte are released. A 304 says that it cost nothing: a cache puts its
 * headers in place of those of the answer that it keeps (RFC 9111 section 4.3.4).
 *
 * @param signal aborted when the client closes the connection, which `isClosed` of `@swath/web` finds
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

function isGood({ status }: Response): boolean {
  return status < 400 && status !== 304;
}
