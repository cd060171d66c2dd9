import { HttpError } from "./errors.ts";
import { unlessAborted } from "./when-aborted.ts";

/** Options for reading a body. */
export interface BodyOptions {
  /** Most bytes, after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes held so far after each piece. */
  readonly onBytes?: ((held: number) => void) | undefined;
}

/**
 * Reads a whole body, piece by piece, so that a larger one is cut off at the bound.
 *
 * @throws {HttpError} `too-large`; the signal's reason once it aborts; what the connection throws.
 */
export async function readBytes(response: Response, options: BodyOptions): Promise<Uint8Array> {
  const { maxBytes, onBytes } = options;
  const { parts, held, isWhole } = await readParts(response, options, onBytes);
  if (!isWhole) throw new HttpError("too-large", `The answer is larger than ${maxBytes} bytes.`);
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(held);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * The start of a body as UTF-8 text, at most `maxBytes` of it; what was read where the connection is cut. For the bodies
 * of errors, whose status says enough without them.
 */
export async function readText(response: Response, maxBytes: number, signal?: AbortSignal): Promise<string> {
  const { parts } = await readParts(response, { maxBytes, signal }).catch(() => ({ parts: [] }));
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("");
}

/** Pieces of a body until it ends, or until more than `maxBytes` were read, when the connection is given up. */
async function readParts(
  response: Response,
  { maxBytes, signal }: BodyOptions,
  onBytes?: (held: number) => void,
): Promise<{ parts: Uint8Array[]; held: number; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let held = 0;
  const reader = response.body?.getReader();
  if (reader === undefined) return { parts, held, isWhole: true };
  try {
    for (;;) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return { parts, held, isWhole: true };
      held += value.byteLength;
      onBytes?.(held);
      if (held > maxBytes) break;
      parts.push(value);
    }
  } catch (error) {
    // a body that never ends must not keep its connection; whether the cancelling works is of no interest
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
  await reader.cancel().catch(() => undefined);
  return { parts, held, isWhole: false };
}
