import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, normalize, sep } from "node:path";
import { Readable } from "node:stream";
import { ProblemError } from "@swath/problem";
import type { AppContext } from "../http/context.ts";
import { methodsOf } from "../http/paths.ts";
import type { Router } from "../http/route.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".tif": "image/tiff; application=geotiff; profile=cloud-optimized",
  ".json": "application/json",
  ".png": "image/png",
  ".jpg": "image/jpeg",
};

export interface ByteRange {
  readonly start: number;
  /** Last byte, inclusive. */
  readonly end: number;
}

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

/** A file of a folder, whole or in part; the client may go on where it stopped. */
export async function sendFile(
  c: AppContext,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isFile())
    throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
  const etag = `"${facts.size.toString(16)}-${Math.floor(facts.mtimeMs).toString(16)}"`;
  const common = { "Accept-Ranges": "bytes", ETag: etag, "Last-Modified": facts.mtime.toUTCString(), ...headers };
  if (c.req.header("If-None-Match") === etag) return new Response(null, { status: 304, headers: common });
  const ifRange = c.req.header("If-Range");
  const range = ifRange !== undefined && ifRange !== etag ? undefined : parseRange(c.req.header("Range"), facts.size);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...common, "Content-Range": `bytes */${facts.size}` } });
  }
  const { start, end } = range ?? { start: 0, end: facts.size - 1 };
  const length = facts.size === 0 ? 0 : end - start + 1;
  const body =
    c.req.method === "HEAD" || length === 0
      ? null
      : (Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream);
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      "Content-Length": String(length),
      ...(range === undefined ? {} : { "Content-Range": `bytes ${start}-${end}/${facts.size}` }),
    },
  });
}

/** Publishes the files of an embedded archive, so that the asset links of its items work for every client. */
export function registerArchiveFiles({ app, paths }: Router, directory: string): void {
  const route = paths.add("/archive/{file*}", methodsOf("get"));
  app.get(route.pattern, (c) => {
    const name = normalize(route.read(c.req.path).file ?? "");
    const path = join(directory, name);
    // only asset files, and never what lies outside the folder
    if (!path.startsWith(directory + sep) || !name.startsWith(`assets${sep}`) || name.includes("\0")) {
      throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
    }
    const type = TYPES[name.slice(name.lastIndexOf("."))] ?? "application/octet-stream";
    return sendFile(c, path, { "Content-Type": type, "Cache-Control": "public, max-age=3600" });
  });
}
