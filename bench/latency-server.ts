// Files by HTTP ranges, each answer after a wait: an object store in another place, without a limit of its bandwidth.
// node --conditions=@swath/source bench/latency-server.ts FOLDER MILLISECONDS
// Prints its port. The first part of a path only makes addresses different: /ANY/points/p0.tif is points/p0.tif.
import { open } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join, normalize } from "node:path";

const [directory = ".", milliseconds = "30"] = process.argv.slice(2);

async function answer(path: string, range: string | undefined, response: ServerResponse): Promise<void> {
  const file = await open(join(directory, normalize(`/${path.split("/").slice(2).join("/")}`)));
  try {
    const { size } = await file.stat();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const from = Number(first ?? 0);
    const to = Math.min(size - 1, last === undefined || last === "" ? size - 1 : Number(last));
    const bytes = Buffer.alloc(to - from + 1);
    await file.read(bytes, 0, bytes.length, from);
    response.writeHead(first === undefined ? 200 : 206, {
      "Accept-Ranges": "bytes",
      "Content-Length": bytes.length,
      "Content-Type": "image/tiff",
      ...(first === undefined ? {} : { "Content-Range": `bytes ${from}-${to}/${size}` }),
    });
    response.end(bytes);
  } finally {
    await file.close();
  }
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  setTimeout(() => {
    answer(request.url ?? "/", request.headers.range, response).catch(() => response.writeHead(404).end());
  }, Number(milliseconds));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
