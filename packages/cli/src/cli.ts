#!/usr/bin/env node
import { main } from "./main.ts";
import { openScenes } from "./open-scenes.ts";

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort(new Error(signal)));

process.exitCode = await main(process.argv.slice(2), {
  write: (data) => process.stdout.write(data),
  warn: (text) => process.stderr.write(text),
  isWatched: process.stderr.isTTY === true,
  openScenes,
  signal: ending.signal,
  environment: process.env,
});
