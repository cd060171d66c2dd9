import { extname, join, sep } from "node:path";
import { methodsOf } from "@swath/web";
import { pathBelow, sendFile } from "@swath/web/files";
import { ProblemError } from "../../errors/problems.ts";
import type { Router } from "../../http/request/route.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".tif": "image/tiff; application=geotiff; profile=cloud-optimized",
  ".json": "application/json",
  ".xml": "application/xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
};

/** Publishes the files of an embedded archive, so that the asset links of its items work for every client. */
export function registerArchiveFiles({ app, paths }: Router, directory: string): void {
  const route = paths.add("/archive/{file*}", methodsOf("get"));
  app.get(route.pattern, (c) => {
    const path = pathBelow(directory, route.read(c.req.path).file ?? "");
    // asset files alone
    if (path === undefined || !path.startsWith(join(directory, "assets") + sep)) {
      throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
    }
    const type = TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
    return sendFile(c, path, { "Content-Type": type, "Cache-Control": "public, max-age=3600" });
  });
}
