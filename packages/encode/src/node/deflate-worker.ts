import { parentPort } from "node:worker_threads";
import { compressRuns } from "../deflate/runs.ts";

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread only.");

port.on("message", ({ id, bytes }: { readonly id: number; readonly bytes: Uint8Array }) => {
  const stream = compressRuns(bytes).slice();
  port.postMessage({ id, stream }, [stream.buffer]);
});
