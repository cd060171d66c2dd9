import { join, normalize, sep } from "node:path";
import { ProblemError } from "@swath/problem";
import { sendBytes } from "../http/byte-range.ts";
import type { AppContext } from "../http/context.ts";
import { findFile } from "../http/file-bytes.ts";
import { methodsOf } from "../http/paths.ts";
import type { Router } from "../http/route.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".tif": "image/tiff; application=geotiff; profile=cloud-optimized",
  ".json": "application/json",
  ".png": "image/png",
  ".jpg": "image/jpeg",
};

/** A file of a folder, whole or in part; the client may go on where it stopped. */
export async function sendFile(
  c: AppContext,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  return sendBytes(c, await findFile(path), headers);
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
