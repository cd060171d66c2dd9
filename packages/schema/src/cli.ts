#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { runCli } from "./cli-run.ts";

process.exitCode = await runCli(process.argv.slice(2), {
  read: (file) => (file === "-" ? text(process.stdin) : readFile(file, "utf8")),
  write: (out) => process.stdout.write(out),
  warn: (out) => process.stderr.write(out),
});
