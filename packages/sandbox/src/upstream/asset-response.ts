/** A store of the bytes behind `/assets/…`. */
export interface AssetStore {
  /** Size in bytes and entity tag (quotes included); `undefined` where there is no such file. */
  stat(path: string): Promise<{ readonly size: number; readonly etag: string } | undefined>;
  /** Bytes from `start` up to and including `end`. */
  read(path: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Answers GET and HEAD of one file: ranges (one at a time, as S3), entity tags, 304, 404, 416. */
export async function assetResponse(store: AssetStore, path: string, request: Request): Promise<Response> {
  const stat = path.split("/").includes("..") ? undefined : await store.stat(path);
  if (stat === undefined) {
    return Response.json({ code: "NoSuchKey", description: "The specified key does not exist." }, { status: 404 });
  }
  const { size, etag } = stat;
  const headers = new Headers({
    "Accept-Ranges": "bytes",
    "Access-Control-Allow-Origin": "*",
    "Content-Type": path.endsWith(".xml")
      ? "application/xml"
      : "image/tiff; application=geotiff; profile=cloud-optimized",
    ETag: etag,
  });
  const wanted = request.headers.get("If-None-Match");
  if (wanted !== null && (wanted === "*" || wanted.split(/\s*,\s*/).includes(etag))) {
    return new Response(null, { status: 304, headers });
  }
  const range = parseRange(request.headers.get("Range"), size);
  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${size}`);
    headers.set("Content-Length", "0");
    return new Response(null, { status: 416, headers });
  }
  const [start, end] = range ?? [0, size - 1];
  headers.set("Content-Length", String(end - start + 1));
  if (range !== undefined) headers.set("Content-Range", `bytes ${start}-${end}/${size}`);
  const body = request.method === "HEAD" || size === 0 ? null : await store.read(path, start, end);
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

/** First and last byte of a single range; `undefined` for none, for several and for what is not a range (RFC 9110, 14.2). */
function parseRange(header: string | null, size: number): readonly [number, number] | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first === "") return last === "0" || size === 0 ? "unsatisfiable" : [Math.max(0, size - Number(last)), size - 1];
  if (last !== "" && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return "unsatisfiable";
  return [Number(first), last === "" ? size - 1 : Math.min(Number(last), size - 1)];
}
