import type { Context } from "hono";
import { matchesEtag } from "../answer/conditional.ts";
import { RequestProblem } from "../problems.ts";
import { type ByteRange, findFile, type StoredBytes } from "./stored-bytes.ts";

/**
 * Reads a `Range` header of one range (RFC 9110 section 14.2). Undefined: send the whole file, as for several
 * ranges or another unit; `unsatisfiable`: answer 416.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const count = Math.min(Number(last), size);
    return count === 0 ? "unsatisfiable" : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}

/**
 * The answer with stored bytes: whole, a range, or neither for who has them already.
 *
 * @throws {RequestProblem} `not-found` for no bytes, `range-not-satisfiable`.
 */
export async function sendBytes(
  c: Context,
  bytes: StoredBytes | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  if (bytes === undefined) throw new RequestProblem("not-found", `Nothing is served at ${c.req.path}.`);
  const { size, etag } = bytes;
  const common = { "Accept-Ranges": "bytes", ETag: etag, "Last-Modified": bytes.modified.toUTCString(), ...headers };
  const { "Content-Type": _type, "Content-Disposition": _name, ...bodiless } = common as Record<string, string>;
  if (matchesEtag(c.req.header("If-None-Match"), etag)) return new Response(null, { status: 304, headers: bodiless });
  const ifRange = c.req.header("If-Range");
  const range = ifRange !== undefined && ifRange !== etag ? undefined : parseRange(c.req.header("Range"), size);
  if (range === "unsatisfiable") {
    throw new RequestProblem("range-not-satisfiable", `Expected a range within ${size} bytes.`, {
      headers: { "Accept-Ranges": "bytes", "Content-Range": `bytes */${size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = size === 0 ? 0 : end - start + 1;
  const body = c.req.method === "HEAD" || length === 0 ? null : await bytes.open({ start, end });
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      "Content-Length": String(length),
      ...(range === undefined ? {} : { "Content-Range": `bytes ${start}-${end}/${size}` }),
    },
  });
}

/**
 * A file of this machine, whole or in part; the client may go on where it stopped.
 *
 * @throws {RequestProblem} `not-found`, `range-not-satisfiable`.
 */
export async function sendFile(c: Context, path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return sendBytes(c, await findFile(path), headers);
}
