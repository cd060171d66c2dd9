import { parentPort } from "node:worker_threads";
import { compressRuns } from "../deflate/runs.ts";
import { predict } from "../geotiff/block.ts";
import type { DeflateOrder } from "./deflate-thread.ts";

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread only.");

port.on("message", ({ id, bytes, encoding }: DeflateOrder) => {
  if (encoding !== undefined) predict(bytes, encoding);
  const stream = compressRuns(bytes).slice();
  port.postMessage({ id, stream }, [stream.buffer]);
});
