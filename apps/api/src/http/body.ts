import { ProblemError } from "@swath/problem";

const JSON_TYPE = /^application\/([a-z0-9!#$&^_.+-]+\+)?json\s*(;|$)/i;

/**
 * Reads a JSON body of at most `maxBytes` bytes, without ever holding more than that.
 *
 * @throws {ProblemError} `unsupported-media-type` for another content type, `body-too-large`, `invalid-body` for what is not JSON.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get("Content-Type");
  if (type !== null && !JSON_TYPE.test(type)) {
    throw new ProblemError("unsupported-media-type", `Expected Content-Type application/json, got "${type}".`, {
      headers: { Accept: "application/json" },
    });
  }
  const bytes = await readBounded(request, maxBytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ProblemError("invalid-body", "The body is not UTF-8 text.", {
      cause: error,
      errors: [{ pointer: "", detail: "Expected JSON in UTF-8." }],
    });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail =
      text.trim() === ""
        ? "Expected a JSON object, got an empty body."
        : `The body is not JSON: ${(error as Error).message}.`;
    throw new ProblemError("invalid-body", detail, { cause: error, errors: [{ pointer: "", detail }] });
  }
}

/**
 * Reads a body of at most `maxBytes` bytes, without ever holding more than that.
 *
 * @throws {ProblemError} `body-too-large`.
 */
export async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (requestedBytes: number): ProblemError =>
    new ProblemError("body-too-large", `The body may have ${maxBytes} bytes; this one has ${requestedBytes} or more.`, {
      limits: { maxBytes, requestedBytes },
    });
  const declared = Number(request.headers.get("Content-Length") ?? "0");
  if (declared > maxBytes) throw tooLarge(declared);
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body !== null) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length > maxBytes) throw tooLarge(length);
      chunks.push(chunk);
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
