#!/usr/bin/env node
import { main } from "./main.ts";
import { openScenes } from "./open-scenes.ts";

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort(new Error(signal)));
// who reads the output may have seen enough, as `head` has
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await main(process.argv.slice(2), {
  write: (data) => new Promise<void>((done) => process.stdout.write(data, () => done())),
  warn: (text) => process.stderr.write(text),
  isWatched: process.stderr.isTTY === true,
  openScenes,
  signal: ending.signal,
  environment: process.env,
});
