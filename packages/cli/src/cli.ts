#!/usr/bin/env node
import { main } from "./main.ts";
import { openEngine } from "./open-engine.ts";

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort(new Error(signal)));

process.exitCode = await main(process.argv.slice(2), {
  terminal: {
    write: (data) => process.stdout.write(data),
    warn: (text) => process.stderr.write(text),
    isInteractive: process.stderr.isTTY === true,
  },
  openEngine,
  signal: ending.signal,
  environment: process.env,
});
