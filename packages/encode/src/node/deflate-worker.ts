import { parentPort } from "node:worker_threads";
import { compressRuns } from "../deflate/runs.ts";
import type { DeflateOrder } from "./deflate-thread.ts";

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread only.");

port.on("message", ({ id, bytes, encoding }: DeflateOrder) => {
  const stream = compressRuns(bytes, encoding).slice();
  port.postMessage({ id, stream }, [stream.buffer]);
});
