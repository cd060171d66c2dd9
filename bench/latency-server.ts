// Files by HTTP ranges and TLS, each answer after a wait: an object store in another place, and a line that all answers share.
// node --conditions=@swath/source bench/latency-server.ts FOLDER MILLISECONDS CERTIFICATE KEY [MBIT_A_SECOND]
// Prints its port; `/requests` is the number of requests for files so far, and `/bytes` that of their bytes. The first part of a path only makes addresses different: /ANY/points/p0.tif is points/p0.tif.
import { open, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";

const [directory = ".", milliseconds = "30", certificate = "", key = "", megabits] = process.argv.slice(2);
/** Bytes of a millisecond; absent: as many as there are. */
const rate = megabits === undefined ? Infinity : (Number(megabits) * 1e6) / 8 / 1000;
/** Bytes read of a file at once: a block of a file is one read where the line has no limit. */
const CHUNK = rate === Infinity ? 2 << 20 : 1 << 16;

let sent = 0;
/** When the line has carried all that it was given, milliseconds. */
let free = 0;

/** Passes the bytes of an answer on as fast as the line that it shares with others carries them. */
async function* carried(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sent += chunk.length;
    const now = performance.now();
    free = Math.max(free, now) + chunk.length / rate;
    if (free - now > 1) await wait(free - now);
    yield chunk;
  }
}

async function answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = url ?? "/";
  const range = headers.range;
  const file = await open(join(directory, normalize(`/${path.split("/").slice(2).join("/")}`)));
  try {
    const { size } = await file.stat();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const from = Number(first ?? 0);
    const to = Math.min(size - 1, last === undefined || last === "" ? size - 1 : Number(last));
    response.writeHead(first === undefined ? 200 : 206, {
      "Accept-Ranges": "bytes",
      "Content-Length": to - from + 1,
      "Content-Type": "image/tiff",
      ...(first === undefined ? {} : { "Content-Range": `bytes ${from}-${to}/${size}` }),
    });
    if (method === "HEAD") response.end();
    else {
      const chunks = file.createReadStream({ start: from, end: to, autoClose: false, highWaterMark: CHUNK });
      await pipeline(chunks, carried, response);
    }
  } finally {
    await file.close();
  }
}

let count = 0;
const secret = { cert: await readFile(certificate), key: await readFile(key) };
const server = createServer({ keepAliveTimeout: 60_000, ...secret }, (request, response) => {
  if (request.url === "/requests" || request.url === "/bytes") {
    response.end(String(request.url === "/bytes" ? sent : count));
    return;
  }
  count += 1;
  setTimeout(() => {
    answer(request, response).catch(() => (response.headersSent ? response.destroy() : response.writeHead(404).end()));
  }, Number(milliseconds));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
