import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  readonly url: string;
  /** Paths requested, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

type Files = (path: string) => Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined>;

/** A plain file server that takes ranges, on a port of its own. */
export async function serveRanges(files: Files): Promise<Served> {
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    asked.push(path);
    const file = await files(path);
    if (file === undefined) return void response.writeHead(404).end();
    const { bytes, type } = file;
    const [, first = "", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (first === "") {
      return void response.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length }).end(bytes);
    }
    const end = Math.min(last === "" ? bytes.length - 1 : Number(last), bytes.length - 1);
    const part = bytes.subarray(Number(first), end + 1);
    const headers = { "Content-Range": `bytes ${first}-${end}/${bytes.length}`, "Content-Length": part.length };
    response.writeHead(206, { "Content-Type": type, ...headers }).end(part);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
